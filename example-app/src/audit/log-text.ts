/** The most characters of the texts of an event, the mark included. docs/reference/api/logs.md lists them. */
export const MAX_LENGTHS = {
  url: 2_048,
  userAgent: 1_024,
  reason: 512,
  /** Ids and names of actors and targets. */
  name: 512,
} as const;

/** The end of a text that was cut. No URL holds it, because it must be percent-encoded there. */
export const CUT = "…";

/** `text`, or as much of it as fits into `max` characters with {@link CUT}. Does not split a surrogate pair. */
export function capText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - CUT.length;
  const last = text.charCodeAt(end - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? end - 1 : end) + CUT;
}
