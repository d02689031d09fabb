import { endOfString } from "./json-bytes.js";

/**
 * Integers of JSON that a double can't hold. "Numbers that are integers and are in the range [-(2**53)+1, (2**53)-1] are
 * interoperable in the sense that implementations will agree exactly on their numeric values" (RFC 8259 section 6).
 *
 * An integer here is a number without fraction and exponent: `1e20` and `9007199254740993.0` are written as doubles, and
 * read as such.
 */
const INTEGER_REGEXP = /^-?[0-9]+$/;

/** The digits of 2^53−1. */
const MIN_DIGITS = 16;

/** A number begins after one of these, or where the text begins. */
const BEFORE_NUMBER: ReadonlySet<number | undefined> = new Set(Buffer.from(" \t\n\r[,:"));

const QUOTE = 0x22;
const MINUS = 0x2d;
const DOT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const CAPITAL_E = 0x45;
const SMALL_E = 0x65;

/** The place of an integer in a text. */
export interface BigInteger {
  /** Index of the first byte, which is a digit or the minus. */
  readonly offset: number;
  /** Index of the byte after its last digit. */
  readonly end: number;
}

/** Whether the text of a JSON number is an integer beyond ±(2^53−1). */
export function isBigInteger(token: string): boolean {
  return token.length >= MIN_DIGITS && INTEGER_REGEXP.test(token) && !Number.isSafeInteger(Number(token));
}

/**
 * Find the first integer beyond ±(2^53−1), with at least `minDigits` digits, in JSON. Reads every 16th byte of a text
 * without 16 digits in a row; linear in any case.
 */
export function findBigInteger(bytes: Buffer, minDigits: number = MIN_DIGITS): BigInteger | undefined {
  let outside = 0; // up to here, no string is open
  for (let probe = minDigits - 1; probe < bytes.length; probe += minDigits) {
    if (!isDigit(bytes[probe])) continue;
    let start = probe;
    while (isDigit(bytes[start - 1])) start--;
    let end = probe + 1;
    while (isDigit(bytes[end])) end++;
    probe = end; // no digit
    const offset = bytes[start - 1] === MINUS ? start - 1 : start;
    if (end - start < minDigits || !isBig(bytes, offset, start, end)) continue;
    for (let quote = bytes.indexOf(QUOTE, outside); quote !== -1 && quote < start;) {
      outside = endOfString(bytes, quote);
      quote = bytes.indexOf(QUOTE, outside);
    }
    if (outside <= start) return { offset, end };
    probe = outside - 1; // the string is over
  }
  return undefined;
}

/** Whether the digits from `start` to `end` are a big integer, unless they are in a string. */
function isBig(bytes: Buffer, offset: number, start: number, end: number): boolean {
  const next = bytes[end];
  if (next === DOT || next === SMALL_E || next === CAPITAL_E) return false;
  if (offset > 0 && !BEFORE_NUMBER.has(bytes[offset - 1])) return false;
  return end - start > MIN_DIGITS || !Number.isSafeInteger(Number(bytes.toString("latin1", start, end)));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9;
}
