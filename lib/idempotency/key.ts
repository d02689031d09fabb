/**
 * The value of an `Idempotency-Key` field (draft-ietf-httpapi-idempotency-key-header-07): a string of RFC 9651.
 *
 * sf-string = DQUOTE *( %x20-21 / %x23-5B / %x5D-7E / "\" ( DQUOTE / "\" ) ) DQUOTE
 *
 * Many clients send the key without quotes; a bare key means the same as the string of these characters.
 */
const STRING_REGEXP = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const BARE_REGEXP = /^[A-Za-z0-9._~:/+=-]+$/;

/** In characters, without quotes and escapes. */
export const MAX_KEY_LENGTH = 255;

/** Quotes around a key whose every character is escaped. */
const MAX_SENT_LENGTH = 2 * MAX_KEY_LENGTH + 2;

/** The key in the field value `sent`; `undefined` when it has none, or one that is empty or longer than 255 characters. */
export function parseIdempotencyKey(sent: string): string | undefined {
  if (sent.length > MAX_SENT_LENGTH) return undefined;
  const quoted = STRING_REGEXP.exec(sent)?.[1]?.replace(/\\(.)/g, "$1");
  const key = quoted ?? (BARE_REGEXP.test(sent) ? sent : "");
  return key !== "" && key.length <= MAX_KEY_LENGTH ? key : undefined;
}
