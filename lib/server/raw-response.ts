/** A response as it goes on the wire when there is no `ServerResponse` to write it. */
export interface RawResponse {
  readonly status: number;
  /** The reason phrase, such as `Bad Request`. */
  readonly reason: string;
  /** Field names and values, written in their order; every character must be one that a field can hold. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text, sent as UTF-8. */
  readonly body: string;
  readonly date: Date;
  /** Leave the body out, as for HEAD; `Content-Length` still tells its length. */
  readonly headOnly?: boolean;
}

/** A complete HTTP/1.1 response (RFC 9112 section 4), with `Date` and `Content-Length`. */
export function formatRawResponse({ status, reason, headers, body, date, headOnly = false }: RawResponse): string {
  const fields = { Date: date.toUTCString(), ...headers, "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${headOnly ? "" : body}`;
}
