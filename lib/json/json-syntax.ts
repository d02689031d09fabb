import { excerpt } from "../text/index.js";

/**
 * The grammar of JSON, RFC 8259, to find the place of a mistake. Only for texts that a parser has refused. The messages of
 * `JSON.parse` don't name the place of every mistake, repeat the text, and differ between versions.
 */
const WHITE_SPACE_REGEXP = /[ \t\n\r]*/y; // ws, section 2
/** By the code of what follows the backslash, section 7. */
const SHORT_ESCAPES = Array.from({ length: 0x80 }, (_, code) => '"\\/bfnrt'.includes(String.fromCharCode(code)));
const UNICODE_ESCAPE_REGEXP = /^\\u[0-9a-fA-F]{4}/;
const SCALAR_REGEXP = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y; // sections 3 and 6

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What may come next, in words for the sender of the text. */
const VALUE = "a value";
const ELEMENT = 'a value or "]"';
const NAME = "a name in double quotes";
const MEMBER = 'a name in double quotes or "}"';
const COLON = '":"';
const MORE_ELEMENTS = '"," or "]"';
const MORE_MEMBERS = '"," or "}"';
const END = "the end";

/** Where a text stops being JSON. */
export interface JsonSyntaxFault {
  /** Index of the byte. */
  readonly offset: number;
  /** Completes "expected …". */
  readonly expected: string;
}

/** Find the first fault in `bytes`, which must be UTF-8; `undefined` when they are JSON. Linear, for any depth. */
export function findJsonSyntaxFault(bytes: Buffer): JsonSyntaxFault | undefined {
  const text = bytes.toString("latin1"); // one character for each byte, so that indices are offsets
  const closers: string[] = []; // the closing brackets of open arrays and objects
  let expected = VALUE;

  for (let offset = 0; ;) {
    if (text.charCodeAt(offset) <= SPACE) offset = skip(WHITE_SPACE_REGEXP, offset);
    const found = text[offset];
    if (found === undefined && expected === END) return undefined;

    const isValue = expected === VALUE || expected === ELEMENT;
    const isName = expected === NAME || expected === MEMBER;
    const canClose = expected !== VALUE && expected !== NAME && expected !== COLON;
    if (canClose && found !== undefined && found === closers.at(-1)) {
      closers.pop();
      offset++;
      expected = more();
    } else if (isValue && (found === "[" || found === "{")) {
      closers.push(found === "[" ? "]" : "}");
      offset++;
      expected = found === "[" ? ELEMENT : MEMBER;
    } else if ((isValue || isName) && found === '"') {
      offset = skipString(offset + 1);
      if (text[offset] !== '"') return { offset, expected: describeCharacter(text[offset]) };
      offset++;
      expected = isName ? COLON : more();
    } else if (isValue) {
      const end = skip(SCALAR_REGEXP, offset);
      if (end === offset) return { offset, expected };
      offset = end;
      expected = more();
    } else if (expected === COLON && found === ":") {
      offset++;
      expected = VALUE;
    } else if ((expected === MORE_ELEMENTS || expected === MORE_MEMBERS) && found === ",") {
      offset++;
      expected = expected === MORE_ELEMENTS ? VALUE : NAME;
    } else {
      return { offset, expected };
    }
  }

  /** What may follow a value. */
  function more(): string {
    const closer = closers.at(-1);
    return closer === undefined ? END : closer === "]" ? MORE_ELEMENTS : MORE_MEMBERS;
  }

  /** The end of the match of `sticky` at `start`, or `start` when there is none. */
  function skip(sticky: RegExp, start: number): number {
    sticky.lastIndex = start;
    return sticky.test(text) ? sticky.lastIndex : start;
  }

  /** The offset of the closing quote, or of a character that a string can't contain. */
  function skipString(start: number): number {
    let end = start;
    for (let code = text.charCodeAt(end); code >= SPACE && code !== QUOTE; code = text.charCodeAt(end)) {
      if (code !== BACKSLASH) end++;
      else if (SHORT_ESCAPES[text.charCodeAt(end + 1)]) end += 2;
      else if (UNICODE_ESCAPE_REGEXP.test(text.slice(end, end + 6))) end += 6;
      else return end;
    }
    return end;
  }
}

/** Format a fault as a sentence for the sender of the text. It repeats one character of the text. */
export function formatJsonSyntaxFault(bytes: Buffer, { offset, expected }: JsonSyntaxFault): string {
  const character = String.fromCodePoint(bytes.toString("utf8", offset, offset + 4).codePointAt(0) ?? 0);
  const found = offset < bytes.length ? excerpt(character) : "the end";
  return `The body: found ${found} at byte ${offset} (line ${lineOf(bytes, offset)}), expected ${expected}.`;
}

function describeCharacter(found: string | undefined): string {
  if (found === undefined) return "a closing quote";
  return found === "\\" ? 'an escape such as "\\n" or "\\u00e9"' : "control characters as escapes";
}

/** The line of `offset`, counted from 1. */
function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let index = 0; index < offset; index++) if (bytes[index] === LINE_FEED) line++;
  return line;
}
