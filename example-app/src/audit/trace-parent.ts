/**
 * `traceparent` of W3C Trace Context, section 3.2. Versions after `00` may append fields, and `ff` is no version.
 *
 * version "-" trace-id "-" parent-id "-" trace-flags
 */
const TRACE_PARENT_REGEXP = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** The trace in the field `traceparent`, or `undefined` when it is absent, invalid or comes twice. */
export function parseTraceId(field: string | string[] | undefined): string | undefined {
  if (typeof field !== "string") return undefined;
  const [, version, traceId, appended] = TRACE_PARENT_REGEXP.exec(field) ?? [];
  return version === "00" && appended !== undefined ? undefined : traceId;
}
