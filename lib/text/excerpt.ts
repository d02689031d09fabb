/** The most that a response repeats of a request: enough to recognise it. */
const MAX_EXCERPT_LENGTH = 64;

/** The first half of a character that was cut in two. */
const HALF_REGEXP = /[\ud800-\udbff]$/;

/** `text` in quotes, for a message to its sender: escaped as in JSON, and cut after at most 64 UTF-16 code units. */
export function excerpt(text: string): string {
  if (text.length <= MAX_EXCERPT_LENGTH) return JSON.stringify(text);
  return JSON.stringify(`${text.slice(0, MAX_EXCERPT_LENGTH).replace(HALF_REGEXP, "")}…`);
}
