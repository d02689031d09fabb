/** A response that is written without a `ServerResponse`. */
export interface RawResponse {
  readonly status: number;
  /** The reason phrase, such as `Bad Request`. */
  readonly reason: string;
  /** Header fields, written in this order. They must contain only characters that are valid in a field. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text, sent as UTF-8. */
  readonly body: string;
  readonly date: Date;
  /** Leave the body out, as for HEAD; `Content-Length` still has its length. */
  readonly headOnly?: boolean;
}

/** Format a complete HTTP/1.1 response (RFC 9112 section 4), with `Date` and `Content-Length`. */
export function formatRawResponse({ status, reason, headers, body, date, headOnly = false }: RawResponse): string {
  const fields = { Date: date.toUTCString(), ...headers, "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${headOnly ? "" : body}`;
}
