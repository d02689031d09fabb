import { FIRST_INSTANT, LAST_INSTANT, parseInstant } from "./instant.js";

/**
 * Format an instant as `YYYY-MM-DDTHH:mm:ss.SSSZ`, the only form that the API writes (rule S4).
 *
 * @param instant a Date, or milliseconds since 1970-01-01T00:00:00Z
 * @throws {RangeError} when `instant` is invalid, or not in the years 0000 to 9999
 * @example
 * formatDate(0); // "1970-01-01T00:00:00.000Z"
 */
export function formatDate(instant: Readonly<Date> | number): string {
  const milliseconds = Number(instant);
  if (!(milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT)) {
    throw new RangeError(`${milliseconds} is not an instant of the years 0000 to 9999`);
  }
  return new Date(milliseconds).toISOString();
}

/**
 * Parse a date-time of RFC 3339: any offset, and a fraction of 0 to 18 digits, of which a Date keeps the milliseconds.
 * `undefined` for other text, and for what does not exist: 30 February, hour 24, second 60.
 *
 * @example
 * parseDate("2026-01-31T10:00:00+02:00")?.getTime(); // 1769846400000
 * parseDate("2026-02-30T08:00:00.000Z"); // undefined
 */
export function parseDate(text: string): Date | undefined {
  const instant = parseInstant(text);
  return instant && new Date(instant.milliseconds);
}

/**
 * Whether `value` is a string that {@link parseDate} accepts.
 *
 * @example
 * isDate("2026-01-31"); // false
 */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && parseInstant(value) !== undefined;
}
