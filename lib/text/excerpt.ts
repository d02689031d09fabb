/** The most that a response repeats of a request: enough to recognise it. */
const MAX_EXCERPT_LENGTH = 64;

/** The first half of a character that was cut in two. */
const HALF_REGEXP = /[\ud800-\udbff]$/;

/** `text` in quotes, for a message to its sender: escaped as in JSON, and cut after at most 64 UTF-16 code units. */
export function excerpt(text: string): string {
  return JSON.stringify(cutText(text, MAX_EXCERPT_LENGTH));
}

/** `text`, cut after at most `length` UTF-16 code units, with an ellipsis where something is missing. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(HALF_REGEXP, "")}…`;
}

/** Controls, line ends and characters that are not seen, such as marks of the direction of text. */
const UNPRINTABLE_REGEXP = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * `text` as one line that can't rule a terminal: a control or a character that is not seen is written as in JSON,
 * `\u001b`. JSON without line feeds stays the same JSON.
 */
export function formatPrintable(text: string): string {
  return text.replace(UNPRINTABLE_REGEXP, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
