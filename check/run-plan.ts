import type { Target } from "./connection.js";

/** What a description of the API tells the checks. */
interface Description {
  /** The segments of each path; those that are variable have braces. */
  readonly templates: readonly (readonly string[])[];
  /** The media types of successful responses to GET of the path that every check may read. */
  readonly produces: readonly string[];
}

/** What a run does: checked, with all defaults filled in. */
export interface RunPlan {
  readonly url: URL;
  readonly target: Target;
  /** Added to each request; the values are never printed. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly list: string | undefined;
  readonly resource: string | undefined;
  readonly writable: string | undefined;
  readonly write: boolean;
  /** The method that writes `writable`. */
  readonly method: string;
  /** A JSON Pointer to the text in `writable` that the checks may change. */
  readonly field: string | undefined;
  /** What to write instead of what GET returned. */
  readonly body: string | undefined;
  readonly filter: string | undefined;
  /** A trusted origin. */
  readonly origin: string | undefined;
  /** Of the description, if there is one. */
  readonly description?: Description;
  /** Requests per second. */
  readonly rate: number;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Milliseconds for the run. */
  readonly timeLimit: number;
}

/** The path that every check may read. */
export function pathOf({ resource, list, url }: RunPlan): string {
  return resource ?? list ?? url.pathname + url.search;
}
