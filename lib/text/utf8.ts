import { isAscii, isUtf8 } from "node:buffer";
import { excerpt } from "./excerpt.js";

/**
 * Text in UTF-8 whose characters take at most three bytes (the Basic Multilingual Plane) or four (all of Unicode), rule S5.
 *
 * UTF8-char = UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4                  RFC 3629 section 4
 * UTF8-2    = %xC2-DF UTF8-tail
 * UTF8-3    = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) / %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
 * UTF8-4    = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )
 */

/** The bytes that begin a UTF8-4. They occur nowhere else in well-formed UTF-8. */
const FIRST_FOUR_BYTE_LEAD = 0xf0;
const LAST_FOUR_BYTE_LEAD = 0xf4;

/** A character beyond ASCII, percent-encoded or not, or a malformed escape. Text without a match has no fault. */
const BEYOND_ASCII_REGEXP = /[\x80-\uffff]|%(?![0-7][0-9A-Fa-f])/;
const NON_ASCII_REGEXP = /[\x80-\uffff]/;

/** Characters of four bytes, which are surrogate pairs in a string, and the byte order mark. */
const UNSUPPORTED_REGEXP = /[\ud800-\udfff\ufeff]/;
const MARK = "\ufeff";

const HEX_OCTET_REGEXP = /^[0-9a-f]{2}$/i;

/**
 * - `illFormed`: bytes that are not UTF-8, such as overlong forms and encoded surrogates
 * - `fourByte`: a character that takes four bytes in UTF-8, when at most three are allowed
 * - `surrogate`: an escape in JSON for half a surrogate pair, without the other half
 * - `byteOrderMark`: U+FEFF
 * - `percent`: a `%` without two hexadecimal digits
 */
type TextFaultReason = "illFormed" | "fourByte" | "surrogate" | "byteOrderMark" | "percent";

/** Why and where a text is not UTF-8, or has a character that takes too many bytes. */
export interface TextFault {
  readonly reason: TextFaultReason;
  /** Index of the byte, in the text as sent. */
  readonly offset: number;
  /** What was found: a code point, such as `U+1F600`, for a character, otherwise the text as sent. */
  readonly found: string;
}

/**
 * Find the first fault in the text `bytes`. U+FEFF is a byte order mark, and a fault, only at the start; elsewhere it is
 * a character of three bytes. Text without a fault costs only native scans.
 *
 * @param maxBytes how many bytes a character may take
 */
export function findTextFault(bytes: Uint8Array, maxBytes: 3 | 4 = 3): TextFault | undefined {
  return isSupported(bytes, maxBytes) ? undefined : locate(bytes, maxBytes, (offset) => offset === 0);
}

/**
 * Find the first fault in percent-encoded text, such as a path, a query or a form; one character of `text` is one byte. A
 * `%` without two hexadecimal digits is reported before other faults. U+FEFF is a fault everywhere.
 *
 * @param maxBytes how many bytes a character may take
 */
export function findEncodedTextFault(text: string, maxBytes: 3 | 4 = 3): TextFault | undefined {
  if (isEncodedAscii(text) || isSupportedWhenDecoded(text, maxBytes)) return undefined;

  const bytes: number[] = [];
  const offsets: number[] = [];
  for (let offset = 0; offset < text.length; offset++) {
    offsets.push(offset);
    if (text[offset] === "%") {
      const digits = text.slice(offset + 1, offset + 3);
      if (!HEX_OCTET_REGEXP.test(digits)) return { reason: "percent", offset, found: `%${digits}` };
      bytes.push(parseInt(digits, 16));
      offset += 2;
    } else {
      bytes.push(text.charCodeAt(offset));
    }
  }
  const fault = locate(Uint8Array.from(bytes), maxBytes, () => true);
  return fault && { ...fault, offset: offsets[fault.offset] ?? 0 };
}

/** Whether percent-encoded `text` is ASCII when it is decoded, which has no fault. */
export function isEncodedAscii(text: string): boolean {
  return !BEYOND_ASCII_REGEXP.test(text);
}

/** Format a fault as a sentence for the sender of the text; `place` says where the text is. */
export function formatTextFault(place: string, { reason, offset, found }: TextFault): string {
  const where = `${place}: ${reason === "percent" ? excerpt(found) : found} at byte ${offset}`;
  switch (reason) {
    case "illFormed":
      return `${where} is not well-formed UTF-8.`;
    case "fourByte":
      return `${where} takes four bytes in UTF-8; characters of up to three are supported.`;
    case "surrogate":
      return `${where} is half of a surrogate pair, which is no character.`;
    case "byteOrderMark":
      return `${where} is a byte order mark; leave it out.`;
    case "percent":
      return `${where} is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".`;
  }
}

/** Format the code point of the first character of `text`, such as `U+1F600`. */
export function formatCodePoint(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Whether well-formed `text` has neither U+FEFF nor a character of more than `maxBytes` bytes in UTF-8. */
export function isSupportedText(text: string, maxBytes: 3 | 4): boolean {
  return maxBytes === 4 ? !text.includes(MARK) : !UNSUPPORTED_REGEXP.test(text);
}

function isSupported(bytes: Uint8Array, maxBytes: 3 | 4): boolean {
  if (isAscii(bytes)) return true;
  return isUtf8(bytes) && !hasMarkAt(bytes, 0) && (maxBytes === 4 || !hasFourByteLead(bytes));
}

function hasFourByteLead(bytes: Uint8Array): boolean {
  for (let lead = FIRST_FOUR_BYTE_LEAD; lead <= LAST_FOUR_BYTE_LEAD; lead++) {
    if (bytes.includes(lead)) return true;
  }
  return false;
}

/** Whether `text` decodes to supported text. Also false when native functions can't decide it. */
function isSupportedWhenDecoded(text: string, maxBytes: 3 | 4): boolean {
  if (NON_ASCII_REGEXP.test(text)) return false;
  try {
    return isSupportedText(decodeURIComponent(text), maxBytes);
  } catch {
    return false;
  }
}

function locate(bytes: Uint8Array, maxBytes: 3 | 4, isMarkAt: (offset: number) => boolean): TextFault | undefined {
  for (let offset = 0; offset < bytes.length;) {
    const size = sizeOf(bytes, offset);
    if (size === 0) return { reason: "illFormed", offset, found: `0x${toHex(bytes[offset])}` };
    if (size > maxBytes) {
      const character = Buffer.from(bytes.subarray(offset, offset + size)).toString();
      return { reason: "fourByte", offset, found: formatCodePoint(character) };
    }
    if (hasMarkAt(bytes, offset) && isMarkAt(offset)) {
      return { reason: "byteOrderMark", offset, found: formatCodePoint("\ufeff") };
    }
    offset += size;
  }
  return undefined;
}

function hasMarkAt(bytes: Uint8Array, offset: number): boolean {
  return bytes[offset] === 0xef && bytes[offset + 1] === 0xbb && bytes[offset + 2] === 0xbf;
}

/** How many bytes the character at `offset` takes; 0 when the bytes are not well-formed. */
function sizeOf(bytes: Uint8Array, offset: number): number {
  const lead = bytes[offset] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;

  const second = bytes[offset + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;

  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (let index = offset + 2; index < offset + size; index++) {
    if (((bytes[index] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return size;
}

function toHex(byte = 0): string {
  return byte.toString(16).padStart(2, "0");
}
