import { excerpt, findTextFault, formatCodePoint, type TextFault } from "../text/index.js";
import { formatPointer } from "./json-pointer.js";

/**
 * The text and the nesting of JSON, RFC 8259. Nothing here decides whether JSON is well-formed: the parser does. The
 * results for malformed JSON don't matter, because the parser refuses it.
 *
 * char = unescaped / %x5C ( %x22 / %x5C / %x2F / %x62 / %x66 / %x6E / %x72 / %x74 / %x75 4HEXDIG )   section 7
 */

const UNICODE_ESCAPE = Buffer.from("\\u");

/** In bytes: up to this length, the native search for an escape takes longer than the regular expression that it can save. */
const SHORT = 2048;

/** Half of a surrogate pair, unless the backslash is itself escaped. */
const SURROGATE_ESCAPE_REGEXP = /\\ud[89a-f][0-9a-f]{2}/gi;

/** The escapes of both halves. */
const PAIR_LENGTH = 12;
const PAIR_REGEXP = /^\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}$/i;

const ALL_FORBIDDEN_REGEXPS = { 3: /[\u{10000}-\u{10ffff}\p{Surrogate}]/gu, 4: /\p{Surrogate}/gu } as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** An open array or object. */
interface Level {
  readonly isArray: boolean;
  /** The index of the current element. */
  index: number;
  /** The place of the key of the current member, quotes included. */
  key: readonly [start: number, end: number] | undefined;
}

/**
 * Find the first fault in the raw text of `bytes`, otherwise the first in its escapes: characters of four bytes, when at
 * most three are allowed, and halves of surrogate pairs, in values and keys. Text without a fault or a backslash costs
 * only native scans.
 *
 * @param maxBytes how many bytes a character may take
 */
export function findJsonTextFault(bytes: Buffer, maxBytes: 3 | 4 = 3): TextFault | undefined {
  return findTextFault(bytes, maxBytes) ?? findEscapeFault(bytes, maxBytes);
}

/**
 * The offset of the bracket that opens one level more than `maxDepth`; the outermost array or object is level 1.
 * Linear, and native when the text has at most `maxDepth` opening brackets.
 */
export function findExcessDepth(bytes: Buffer, maxDepth: number): number | undefined {
  if (bytes.length < 2 * (maxDepth + 1) || !opensMoreThan(bytes, maxDepth)) return undefined;

  let depth = 0;
  for (let offset = 0; offset < bytes.length; offset++) {
    switch (bytes[offset]) {
      case QUOTE:
        offset = endOfString(bytes, offset) - 1;
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        if (++depth > maxDepth) return offset;
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
        break;
    }
  }
  return undefined;
}

/** The JSON Pointer of the value or member that contains the byte at `offset`; `""` is the whole text. */
export function locatePointer(bytes: Buffer, offset: number): string {
  const levels: Level[] = [];
  let index = 0;
  while (index < bytes.length) {
    const level = levels.at(-1);
    const byte = bytes[index];
    let end = index + 1;
    if (byte === QUOTE) {
      end = endOfString(bytes, index);
      if (level && !level.isArray) level.key ??= [index, end];
    } else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      levels.push({ isArray: byte === OPENING_BRACKET, index: 0, key: undefined });
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
      levels.pop();
    } else if (byte === COMMA && level) {
      level.index++;
      level.key = undefined;
    }
    if (offset < end) break;
    index = end;
  }
  return formatPointer(levels.flatMap(({ isArray, index, key }) => (isArray ? index : key ? readKey(bytes, key) : [])));
}

/** Format a pointer for a response: escaped and cut as in {@link excerpt}, unsupported characters as code points. */
export function formatPlace(pointer: string, maxBytes: 3 | 4 = 3): string {
  const printable = pointer.replace(ALL_FORBIDDEN_REGEXPS[maxBytes], formatCodePoint);
  return excerpt(printable).slice(1, -1);
}

function findEscapeFault(bytes: Buffer, maxBytes: 3 | 4): TextFault | undefined {
  if (bytes.indexOf(BACKSLASH) < 0) return undefined;
  if (bytes.length > SHORT && bytes.indexOf(UNICODE_ESCAPE) < 0) return undefined;
  const text = bytes.toString("latin1"); // one character for each byte, so that indices are offsets
  SURROGATE_ESCAPE_REGEXP.lastIndex = 0;
  for (let match = SURROGATE_ESCAPE_REGEXP.exec(text); match; match = SURROGATE_ESCAPE_REGEXP.exec(text)) {
    const { 0: found, index: offset } = match;
    if (isEscaped(text, offset)) continue;
    const pair = text.slice(offset, offset + PAIR_LENGTH);
    if (!PAIR_REGEXP.test(pair)) return { reason: "surrogate", offset, found };
    if (maxBytes === 4) {
      SURROGATE_ESCAPE_REGEXP.lastIndex = offset + PAIR_LENGTH;
      continue;
    }
    return { reason: "fourByte", offset, found: formatCodePoint(JSON.parse(`"${pair}"`) as string) };
  }
  return undefined;
}

/** Whether the character at `offset` is the second half of an escape: an odd number of backslashes precedes it. */
export function isEscaped(text: string, offset: number): boolean {
  let start = offset;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (offset - start) % 2 === 1;
}

/** The offset after the string that begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  let offset = start + 1;
  while (offset < bytes.length && bytes[offset] !== QUOTE) offset += bytes[offset] === BACKSLASH ? 2 : 1;
  return Math.min(offset + 1, bytes.length);
}

function opensMoreThan(bytes: Buffer, limit: number): boolean {
  let count = 0;
  for (const opening of [OPENING_BRACKET, OPENING_BRACE]) {
    for (let offset = bytes.indexOf(opening); offset !== -1; offset = bytes.indexOf(opening, offset + 1)) {
      if (++count > limit) return true;
    }
  }
  return false;
}

function readKey(bytes: Buffer, [start, end]: readonly [number, number]): string {
  const text = bytes.toString("utf8", start, end);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1); // the key is cut off or malformed
  }
}
