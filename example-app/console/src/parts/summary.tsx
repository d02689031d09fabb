import { ApiProblem } from "../api/http.js";
import { ServerText } from "./server-text.js";
import { summarize } from "./summarize.js";

/** What happened, in the person's language. */
export function Summary({ error }: Readonly<{ error: Error }>) {
  const summary = summarize(error);
  const isSent = error instanceof ApiProblem && error.code !== "" && summary === error.message;
  return isSent ? <ServerText text={summary} /> : summary;
}
