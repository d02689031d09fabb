import { isOutage } from "../api/http.js";
import { Problem } from "./problem.js";

/** Why something was not read. The frame of the pages tells of outages. */
export function ReadingProblem({ error }: Readonly<{ error: Error | null }>) {
  return error === null || isOutage(error) ? null : <Problem error={error} />;
}
