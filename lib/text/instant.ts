/**
 * Instants as RFC 3339 writes them, section 5.6:
 *
 * date-time = full-date "T" time [ "." 1*18DIGIT ] ( "Z" / ( "+" / "-" ) hour ":" minute )
 *
 * `T` and `Z` in any case. Leap seconds, hour 24 and instants outside the years 0000 to 9999 are no instants here.
 */
const DATE_TIME_REGEXP =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,18}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** The form that the API writes. All such texts have the same length, so they sort like their instants. */
const CANONICAL_REGEXP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** `0000-01-01T00:00:00.000Z` and `9999-12-31T23:59:59.999Z`; other years don't have four digits. */
export const FIRST_INSTANT = -62_167_219_200_000;
export const LAST_INSTANT = 253_402_300_799_999;

const MINUTE_MS = 60_000;

export interface Instant {
  /** Milliseconds since 1970, rounded down. */
  readonly milliseconds: number;
  /** The digits of the fraction of a millisecond, without zeros at the end. */
  readonly fraction: string;
}

/** The instant that `text` names, exactly. */
export function parseInstant(text: string): Instant | undefined {
  const [, date = "", time = "", digits = "", sign, hours, minutes] = DATE_TIME_REGEXP.exec(text) ?? [];
  const local = `${date}T${time}.${digits.slice(0, 3).padEnd(3, "0")}Z`;
  const instant = new Date(local);
  // Date.parse turns 30 February into 1 March and 24:00 into the next day
  if (Number.isNaN(instant.getTime()) || instant.toISOString() !== local) return undefined;
  const offset = sign === undefined ? 0 : Number(`${sign}1`) * (60 * Number(hours) + Number(minutes));
  const milliseconds = instant.getTime() - offset * MINUTE_MS;
  if (milliseconds < FIRST_INSTANT || milliseconds > LAST_INSTANT) return undefined;
  return { milliseconds, fraction: digits.slice(3).replace(/0+$/, "") };
}

/** Negative when `a` is earlier than `b`, 0 when they are the same instant. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.milliseconds !== b.milliseconds) return a.milliseconds - b.milliseconds;
  return a.fraction < b.fraction ? -1 : Number(a.fraction > b.fraction);
}

/** Whether `text` is a date in the form that the API writes. */
export function isCanonicalDate(text: string): boolean {
  return CANONICAL_REGEXP.test(text) && parseInstant(text) !== undefined;
}
