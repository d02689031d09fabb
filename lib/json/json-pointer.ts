/**
 * JSON Pointer, RFC 6901.
 *
 * json-pointer    = *( "/" reference-token )
 * reference-token = *( unescaped / "~0" / "~1" )
 * array-index     = %x30 / ( %x31-39 *DIGIT )
 */
const POINTER_REGEXP = /^(?:\/(?:[^~/]|~[01])*)*$/;

const ARRAY_INDEX_REGEXP = /^(?:0|[1-9][0-9]{0,14})$/;

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

/** The index that `token` is, which may be beyond the end of any array; -1 when it is none. */
export function parseArrayIndex(token: string): number {
  return ARRAY_INDEX_REGEXP.test(token) ? Number(token) : -1;
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
