const DURATION_REGEXP = /^([1-9]\d{0,6})([mhd])$/;

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Ten years, in milliseconds. */
const MAX_DURATION = 3_650 * UNIT_MS.d;

/** What {@link parseDuration} accepts. */
export const DURATION = "a time of 1m to 3650d, such as 90m, 12h or 30d";

/** Milliseconds; `undefined` when the text is no duration or one of more than ten years. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = DURATION_REGEXP.exec(text) ?? [];
  const duration = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return duration <= MAX_DURATION ? duration : undefined;
}

/** The same for a duration that may have no end. */
export function parseLifetime(text: string): number | undefined {
  return text === "never" ? Infinity : parseDuration(text);
}
