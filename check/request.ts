/** The value of a header: `null` leaves it out, a list sends a line for each. */
export type HeaderValue = string | readonly string[] | null;

/** A request of a check. What is absent is as in a plain GET of the path that every check may read. */
export interface ProbeRequest {
  readonly method?: string;
  readonly target?: string;
  /** They replace those of every request, whose names are written in any letter case. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** Bytes, or text that is sent as UTF-8. */
  readonly body?: string | Buffer;
  /** `HTTP/1.1` if absent. */
  readonly version?: string;
  /** Send no credentials, over plain HTTP, to this port. */
  readonly plainPort?: number;
  /** Send a GET over the same connection afterwards; `followed` of the response tells whether it got a response too. */
  readonly followUp?: boolean;
}

/** The lines of a header. */
export function linesOf(value: HeaderValue): readonly string[] {
  return typeof value === "string" ? [value] : (value ?? []);
}
