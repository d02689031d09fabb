import { Alert } from "@mantine/core";
import { ApiProblem } from "../../api/http.js";
import { records } from "../../texts/en/records.js";
import { Problem } from "../problem.js";

/** Why the record that an address names is not shown. */
export function Unreadable({ error, title }: Readonly<{ error: Error; title: string }>) {
  if (!(error instanceof ApiProblem) || error.status !== 404) return <Problem error={error} />;
  return (
    <Alert color="yellow" title={title} role="alert">
      {records.aboutGone}
    </Alert>
  );
}
