/**
 * Structured fields, RFC 9651: the values that parsing returns and that serializing takes.
 */

/** A token, such as `gzip`: unlike a string it is written without quotes (section 3.3.4). */
export class FieldToken {
  constructor(readonly value: string) {}
}

/** A number with a decimal point: at most twelve digits before it and three behind it (section 3.3.2). */
export class FieldDecimal {
  constructor(readonly value: number) {}
}

/** A string of any characters, for people to read (section 3.3.8). */
export class FieldDisplayString {
  constructor(readonly value: string) {}
}

/**
 * - `number`: an integer of at most fifteen digits
 * - `string`: printable ASCII
 * - `Uint8Array`: bytes
 * - `Date`: whole seconds
 */
export type BareItem = number | FieldDecimal | string | FieldToken | Uint8Array | boolean | Date | FieldDisplayString;

/** By their keys, in order. */
export type FieldParameters = ReadonlyMap<string, BareItem>;

/** A value with its parameters. */
export interface FieldItem {
  readonly value: BareItem;
  readonly parameters: FieldParameters;
}

/** Items in parentheses, with parameters of their own. */
export interface FieldInnerList {
  readonly items: readonly FieldItem[];
  readonly parameters: FieldParameters;
}

export type FieldMember = FieldItem | FieldInnerList;

/** An integer has at most so many digits. */
export const MAX_INTEGER = 999_999_999_999_999;

/** A decimal has at most twelve digits before its point. */
export const MAX_DECIMAL = 999_999_999_999.9995;

const PRINTABLE_REGEXP = /^[\x20-\x7e]*$/;

/** Whether a string may have these characters. */
export function isPrintable(text: string): boolean {
  return PRINTABLE_REGEXP.test(text);
}

/** What a key consists of, as the source of a regular expression. */
export const KEY = "[a-z*][a-z0-9_.*-]*";

/** What a token consists of, as the source of a regular expression. */
export const SF_TOKEN = "[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*";
