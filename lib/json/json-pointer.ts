import { parseArrayIndex } from "./array-index.js";

/**
 * JSON Pointer, RFC 6901.
 *
 * json-pointer    = *( "/" reference-token )
 * reference-token = *( unescaped / "~0" / "~1" )
 */
const BAD_ESCAPE_REGEXP = /~(?![01])/;

/**
 * Parse a JSON Pointer into its reference tokens, unescaped. `undefined` when `text` is not a JSON Pointer.
 *
 * @example
 * parsePointer("/emails/0/a~1b"); // ["emails", "0", "a/b"]
 */
export function parsePointer(text: string): readonly string[] | undefined {
  if (text === "") return [];
  if (!text.startsWith("/") || BAD_ESCAPE_REGEXP.test(text)) return undefined;
  const tokens = text.slice(1).split("/");
  return text.includes("~") ? tokens.map(unescape) : tokens;
}

/**
 * Format reference tokens as a JSON Pointer.
 *
 * @example
 * formatPointer(["emails", 0]); // "/emails/0"
 */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * Read the value at `tokens` in `document`. `undefined` when there is none; inherited properties don't count.
 *
 * @example
 * readPointer({ emails: ["ann@example.com"] }, ["emails", "0"]); // "ann@example.com"
 */
export function readPointer(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value)) value = (value as unknown[])[parseArrayIndex(token)];
    else value = Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
  }
  return value;
}

/** Replaces `~1` first, because `~01` means `~1`, not `/` (section 4). */
function unescape(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
