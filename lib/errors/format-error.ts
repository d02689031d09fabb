import { validateHeaderName, validateHeaderValue } from "node:http";
import type { FieldValue } from "./classify-error.js";
import { BUILT_IN } from "./compile-catalogue.js";
import { CODING_FIELDS, compileErrorFormat } from "./error-format.js";

/** Fields that only this file writes, or that would be wrong, in lower case. */
const OWN_FIELDS: ReadonlySet<string> = new Set(
  [...CODING_FIELDS, "Content-Length", "Content-Type", "X-Content-Type-Options"].map((name) => name.toLowerCase()),
);

/** An error as a response. */
export interface ErrorResponse {
  /** 400–599 */
  readonly status: number;
  /**
   * With `Content-Type`, `Cache-Control: no-store`, `X-Content-Type-Options: nosniff`, and those that the error brings.
   * Several lines of a name are joined by commas; several lines of `Set-Cookie` are left out, because they can't be.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The error object, as JSON. */
  readonly body: string;
}

const format = compileErrorFormat("formatError", {}, BUILT_IN);

/**
 * Make the response for a value that was thrown, which may be anything, for any framework. Of a 5xx the client learns only
 * the code. Never throws. On Express, use `errorFormatter()`.
 *
 * @param id the id of the request, for `errorId`
 * @example
 * const { status, headers, body } = formatError(apiError("E0000007"), { id: "req-1" }); // 404, …, '{"errorCode":…'
 */
export function formatError(error: unknown, { id }: Readonly<{ id: string }>): ErrorResponse {
  const { status, headers, mediaType, body } = format(
    error,
    { id, retryAfter: undefined, negotiatedType: undefined },
    {},
  );
  const fields: [string, string][] = Object.entries(headers)
    .filter(([name, value]) => isSent(name, value))
    .map(([name, value]) => [name, [value].flat().join(", ")]);
  const isCached = fields.some(([name]) => name.toLowerCase() === "cache-control");
  return {
    status,
    headers: {
      ...Object.fromEntries(fields),
      ...(!isCached && { "Cache-Control": "no-store" }),
      "Content-Type": mediaType,
      "X-Content-Type-Options": "nosniff",
    },
    body,
  };
}

function isSent(name: string, value: FieldValue): boolean {
  const key = name.toLowerCase();
  if (OWN_FIELDS.has(key) || (key === "set-cookie" && Array.isArray(value) && value.length > 1)) return false;
  try {
    validateHeaderName(name);
    for (const line of [value].flat()) validateHeaderValue(name, String(line));
    return true;
  } catch {
    return false; // not valid in a header; the response matters more
  }
}
