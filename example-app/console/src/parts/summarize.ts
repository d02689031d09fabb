import { ApiProblem } from "../api/http.js";
import { faults as texts } from "../texts/en/faults.js";

/** What Chromium, Safari and Firefox say of a part of the console that they could not load. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed/;

/** What happened, for a status that says more to a program than to a person. */
export function summarize(error: Error): string {
  if (!(error instanceof ApiProblem)) return NOT_LOADED.test(error.message) ? texts.notLoaded : error.message;
  if (error.status === 404) return texts.gone;
  if (error.status === 429) return texts.tooMany;
  if (error.status === 503) return texts.notNow;
  return error.message;
}
