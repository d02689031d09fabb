import { readTexts } from "../../parts/search-texts.js";

/** What an address of the log asks: `/log?filter=severity eq "WARN"&since=24h`. */
export interface LogSearch {
  /** See the API. */
  readonly filter?: string;
  /** Words. */
  readonly q?: string;
  /** A date-time, or a period such as `24h` or `30d`. */
  readonly since?: string;
  /** A date-time; without it the page goes on as events happen. */
  readonly until?: string;
}

export function readLogSearch(search: Readonly<Record<string, unknown>>): LogSearch {
  return readTexts(search, ["filter", "q", "since", "until"]);
}
