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

/** The shortest member is a digit and a comma. */
const BYTES_PER_MEMBER = 2;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
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

/** The most that JSON text may have. */
export interface JsonTextLimits {
  /** Levels of arrays and objects; the outermost is the first. */
  readonly depth: number;
  /** Members of all objects and elements of all arrays, counted together. A name that comes twice counts twice. */
  readonly members: number;
}

/** The first place that is too much. */
export interface JsonExcess {
  readonly limit: keyof JsonTextLimits;
  /** The place of the bracket that opens one level too many, or of the first member or element too many. */
  readonly offset: number;
}

/**
 * Find where JSON exceeds `limits`. Linear. Native when the text has at most two bytes for each member that is allowed,
 * and at most `depth` opening brackets.
 */
export function findExcess(bytes: Buffer, limits: JsonTextLimits): JsonExcess | undefined {
  if (bytes.length <= BYTES_PER_MEMBER * limits.members && !opensMoreThan(bytes, limits.depth)) return undefined;

  let depth = 0;
  let members = 0;
  let isNext = false; // whether a member or element may begin here
  for (let offset = 0; offset < bytes.length; offset++) {
    const start = offset;
    switch (bytes[offset]) {
      case SPACE:
      case LINE_FEED:
      case CARRIAGE_RETURN:
      case TAB:
        continue;
      case COMMA:
        isNext = true;
        continue;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
        isNext = false;
        continue;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        if (++depth > limits.depth) return { limit: "depth", offset };
        if (isNext) members++;
        isNext = true;
        break;
      default:
        if (bytes[offset] === QUOTE) offset = endOfString(bytes, offset) - 1;
        if (isNext) members++;
        isNext = false;
    }
    if (members > limits.members) return { limit: "members", offset: start };
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
function isEscaped(text: string, offset: number): boolean {
  let start = offset;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (offset - start) % 2 === 1;
}

/** The offset after the string that begins at `start`. */
export function endOfString(bytes: Buffer, start: number): number {
  let offset = start + 1;
  while (offset < bytes.length && bytes[offset] !== QUOTE) offset += bytes[offset] === BACKSLASH ? 2 : 1;
  return Math.min(offset + 1, bytes.length);
}

function opensMoreThan(bytes: Buffer, limit: number): boolean {
  if (bytes.length < 2 * (limit + 1)) return false; // each is closed somewhere
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
