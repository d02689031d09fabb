import type { z } from "zod";

/**
 * Characters that nobody sees, in names and logins. Some of them change the order in which the others are shown (the property
 * Bidi_Control of Unicode); with others two names look the same and are not.
 */
const HIDDEN = "\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff";
const HIDDEN_REGEXP = new RegExp(`[${HIDDEN}]`);

/** Half of a character that takes four bytes in UTF-8, which the service does not support (rule S5). */
export const SURROGATE_REGEXP = /[\ud800-\udfff]/;

/** Those, and what ends a line or rules a terminal. */
const UNSAFE_REGEXP = new RegExp(`[\\p{Cc}\\u2028\\u2029${HIDDEN}]`, "gu");

/** The first character of `text` that nobody sees, and its index, from 0; `undefined` when there is none. */
export function findHiddenFault(text: string): string | undefined {
  const index = text.search(HIDDEN_REGEXP);
  return index === -1
    ? undefined
    : `must not have the invisible character ${formatCodePoint(text, index)} (at index ${index})`;
}

/** A check of a shape: refuse text with a character that nobody sees. */
export function checkVisible(text: string, context: z.RefinementCtx<string>): void {
  const message = findHiddenFault(text);
  if (message !== undefined) context.addIssue({ code: "custom", message });
}

/** `text` with `\u202e` in place of a character that nobody sees, ends a line or rules a terminal. */
export function escapeHidden(text: string): string {
  return text.replace(UNSAFE_REGEXP, (character) => `\\u${hexOf(character, 0)}`);
}

/** {@link escapeHidden} for each line of `text`. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeHidden).join("\n");
}

function formatCodePoint(text: string, index: number): string {
  return `U+${hexOf(text, index).toUpperCase()}`;
}

/** None of these characters is above U+FFFF. */
function hexOf(text: string, index: number): string {
  return text.charCodeAt(index).toString(16).padStart(4, "0");
}
