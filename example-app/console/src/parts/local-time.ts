/** `2026-01-31T09:00:00` in the person's own time zone, for a field. Empty for what is no date. */
export function toLocal(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  // not by the offset of the zone, which has no seconds: a year that one has typed in part, such as 0002, has some
  const day = [pad(date.getFullYear(), 4), pad(date.getMonth() + 1), pad(date.getDate())].join("-");
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part)).join(":")}`;
}

function pad(part: number, length = 2): string {
  return String(part).padStart(length, "0");
}

/** The date of a field in ISO 8601, UTC; `undefined` if there is none. */
export function toUtc(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/**
 * The date of a field that one has changed. As long as it says the same as `before`, it is that: a field has no parts of
 * seconds, and says the same twice in the night in which clocks are set back.
 */
export function changedDate(local: string, before: string | undefined): string | undefined {
  return before !== undefined && local === toLocal(before) ? before : toUtc(local);
}

const DAY_MS = 86_400_000;

/** How many midnights are between two times, here. */
export function daysBetween(from: Date, to: Date): number {
  return Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS); // a day may have 23 hours
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** In how many milliseconds the next day begins, here. */
export function untilTomorrow(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime();
}
