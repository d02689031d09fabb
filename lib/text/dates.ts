/**
 * Dates in the one form that the API writes and reads (rules S4, F8): RFC 3339 in UTC with milliseconds.
 *
 * date = year "-" month "-" day "T" hour ":" minute ":" second "." millisecond "Z"
 * year = 4DIGIT
 *
 * Being of one length, such texts sort as the instants they name.
 */
const DATE_REGEXP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** `0000-01-01T00:00:00.000Z` and `9999-12-31T23:59:59.999Z`; before and after, the year has another length. */
const FIRST_INSTANT = -62_167_219_200_000;
const LAST_INSTANT = 253_402_300_799_999;

/**
 * Write an instant as `YYYY-MM-DDTHH:mm:ss.SSSZ`.
 *
 * @param instant a Date, or milliseconds since 1970-01-01T00:00:00Z
 * @throws {RangeError} when it is no instant of the years 0000 to 9999
 */
export function formatDate(instant: Readonly<Date> | number): string {
  const milliseconds = Number(instant);
  if (!(milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT)) {
    throw new RangeError(`${milliseconds} is no instant of the years 0000 to 9999`);
  }
  return new Date(milliseconds).toISOString();
}

/**
 * The instant that `text` names, `undefined` when it is not of the form `YYYY-MM-DDTHH:mm:ss.SSSZ` or no such instant
 * exists: 30 February, hour 24, second 60.
 */
export function parseDate(text: string): Date | undefined {
  if (!DATE_REGEXP.test(text)) return undefined;
  const date = new Date(text);
  // Date.parse turns 30 February into 1 March and 24:00 into the next day
  return !Number.isNaN(date.getTime()) && date.toISOString() === text ? date : undefined;
}

/** Whether `value` is a text that {@link parseDate} reads. */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && parseDate(value) !== undefined;
}
