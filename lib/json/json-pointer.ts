import { parseArrayIndex } from "./array-index.js";

/**
 * JSON Pointer, RFC 6901.
 *
 * json-pointer    = *( "/" reference-token )
 * reference-token = *( unescaped / "~0" / "~1" )
 */
const POINTER_REGEXP = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** The reference tokens of `text`, unescaped; none for the empty pointer. `undefined` when it is no JSON Pointer. */
export function parsePointer(text: string): readonly string[] | undefined {
  if (text === "") return [];
  if (!POINTER_REGEXP.test(text)) return undefined;
  const tokens = text.slice(1).split("/");
  return text.includes("~") ? tokens.map(unescape) : tokens;
}

/** The pointer of `tokens`. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The value at `tokens` in `document`; `undefined` when there is none. What objects inherit is not there. */
export function readPointer(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value)) value = (value as unknown[])[parseArrayIndex(token)];
    else value = Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
  }
  return value;
}

/** `~1` first: `~01` is `~1`, not `/` (section 4). */
function unescape(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
