/**
 * Dates in the only form that the API writes and reads (rules S4, F8): RFC 3339 in UTC with milliseconds.
 *
 * date = year "-" month "-" day "T" hour ":" minute ":" second "." millisecond "Z"
 * year = 4DIGIT
 *
 * All such texts have the same length, so they sort like their instants.
 */
const DATE_REGEXP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** `0000-01-01T00:00:00.000Z` and `9999-12-31T23:59:59.999Z`; other years don't have four digits. */
const FIRST_INSTANT = -62_167_219_200_000;
const LAST_INSTANT = 253_402_300_799_999;

/**
 * Format an instant as `YYYY-MM-DDTHH:mm:ss.SSSZ`.
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
 * Parse a date. `undefined` when it is not of the form `YYYY-MM-DDTHH:mm:ss.SSSZ`, or when it does not exist: 30 February,
 * hour 24, second 60.
 *
 * @example
 * parseDate("2026-01-31T08:00:00.000Z")?.getTime(); // 1769846400000
 * parseDate("2026-02-30T08:00:00.000Z"); // undefined
 */
export function parseDate(text: string): Date | undefined {
  if (!DATE_REGEXP.test(text)) return undefined;
  const date = new Date(text);
  // Date.parse turns 30 February into 1 March and 24:00 into the next day
  return !Number.isNaN(date.getTime()) && date.toISOString() === text ? date : undefined;
}

/**
 * Whether `value` is a string that {@link parseDate} accepts.
 *
 * @example
 * isDate("2026-01-31"); // false
 */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && parseDate(value) !== undefined;
}
