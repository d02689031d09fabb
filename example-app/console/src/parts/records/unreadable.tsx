import { Alert } from "@mantine/core";
import { ApiProblem } from "../../api/http.js";
import { Problem } from "../problem.js";

/** Why the record that an address names is not shown. */
export function Unreadable({ error, one }: Readonly<{ error: Error; one: string }>) {
  if (!(error instanceof ApiProblem) || error.status !== 404) return <Problem error={error} />;
  return (
    <Alert color="yellow" title={`This ${one} is not there`} role="alert">
      It was deleted, or the address is wrong. The page History can bring back what was deleted.
    </Alert>
  );
}
