/** Grammar that parsers of several rooms share, as sources of regular expressions. */

/** The characters of a token (RFC 9110, section 5.6.2), for a class of characters. */
export const TOKEN_CHARACTERS = "!#$%&'*+.^_`|~0-9A-Za-z-";

/** A token, such as the name of a field or of an authentication scheme. */
export const TOKEN: string = String.raw`[${TOKEN_CHARACTERS}]+`;

/** The inside of a quoted string (RFC 9110, section 5.6.4). */
export const QUOTED_TEXT: string = String.raw`(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*`;

/** Half of a character that takes four bytes in UTF-8, with its other half or alone. */
export const SURROGATE: string = String.raw`[\ud800-\udfff]`;

const TOKEN_REGEXP = new RegExp(`^${TOKEN}$`);

/** Whether `text` is a token, and nothing else. */
export function isToken(text: string): boolean {
  return TOKEN_REGEXP.test(text);
}
