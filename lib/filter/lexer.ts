import { withoutStack } from "../errors/index.js";
import { FILTER_OPERATORS, RESERVED_WORDS } from "./ast.js";
import { FilterError } from "./error.js";

/**
 * The tokens of an expression.
 *
 * word   = name *( "." name )
 * name   = ( ALPHA / "_" ) *( ALPHA / DIGIT / "_" / "-" )
 * string = a JSON string (RFC 8259 section 7) without U+0000 and without characters that take too many UTF-8 bytes
 * number = a JSON number (RFC 8259 section 6) within the range of a double
 *
 * JSON's white space may separate any two tokens, and must separate words and numbers.
 */
export type TokenKind = "word" | "string" | "number" | "(" | ")" | "end";

const NUMBER_REGEXP = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** The part of the text that an error shows: a string, or the text up to a delimiter, at most 32 characters. */
const EXCERPT_REGEXP = /"[^"]{0,32}"?|[^\s()"]{1,32}|[^]/y;

/** Control characters and surrogates. A response shows them escaped. */
const UNPRINTABLE_REGEXP = /[\x00-\x1f\x7f-\x9f\ud800-\udfff]/g;

const HEX4_REGEXP = /[0-9A-Fa-f]{4}/y;
const LOW_SURROGATE_ESCAPE_REGEXP = /\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}/y;
const ESCAPE_LENGTH = 6;

const DOT = 0x2e;
const START_OF_NAME = 2;

/** The characters of a word, by code: 0 for any other character. */
const WORD_CHARACTERS = new Uint8Array(128);
for (const character of "0123456789-.") WORD_CHARACTERS[character.charCodeAt(0)] = 1;
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") {
  WORD_CHARACTERS[character.charCodeAt(0)] = START_OF_NAME;
}

/** The ASCII characters that need no escape in a string, by code: 0 for any other character. */
const UNESCAPED = new Uint8Array(128).fill(1, 0x20);
UNESCAPED[0x22] = 0;
UNESCAPED[0x5c] = 0;

const MAX_KEYWORD_LENGTH = 5;

/** Keywords by their packed letters: looking up an integer takes half the time of a new string. */
const KEYWORDS: ReadonlyMap<number, string> = new Map(
  [...RESERVED_WORDS, ...FILTER_OPERATORS].map((keyword) => [packLetters(keyword, 0, keyword.length), keyword]),
);

/** The code after the last character. */
const END = -1;

const SINGLE_ESCAPES = '"\\/bfnrt';

/** Reads one token at a time, so that a text that fails early costs only its beginning. */
export class Lexer {
  /** The kind of the current token. */
  kind: TokenKind = "end";
  /** Where the current token begins. */
  start = 0;
  /** Where the current token ends, exclusive. */
  end = 0;
  /** The decoded literal. */
  value: string | number = "";
  /** The word in lower case when it is an operator or reserved, otherwise empty. */
  keyword = "";

  readonly #text: string;
  readonly #maxBytes: 3 | 4;

  /** @param maxBytes how many bytes of UTF-8 a character may take */
  constructor(text: string, maxBytes: 3 | 4 = 3) {
    this.#text = text;
    this.#maxBytes = maxBytes;
    this.next();
  }

  /**
   * Move to the next token.
   *
   * @throws {FilterError} when there is no valid token
   */
  next(): void {
    const text = this.#text;
    let index = this.end;
    let code = codeAt(text, index);
    while (code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d) code = codeAt(text, ++index);
    this.start = index;
    this.keyword = "";

    if (WORD_CHARACTERS[code] === START_OF_NAME) {
      this.#readWord(index);
    } else if (code === 0x22) {
      this.#readString(index);
    } else if (code === 0x28) {
      this.kind = "(";
      this.end = index + 1;
    } else if (code === 0x29) {
      this.kind = ")";
      this.end = index + 1;
    } else if (code === END) {
      this.kind = "end";
      this.end = index;
    } else {
      this.#readNumber(index);
    }
  }

  /** The current token as written. Sliced on demand, because for most words the keyword is enough. */
  get written(): string {
    return this.#text.slice(this.start, this.end);
  }

  /** The current token, or the text at `offset`, in the form that an error shows. */
  describe(offset: number = this.start): string {
    if (offset >= this.#text.length) return "the end";
    EXCERPT_REGEXP.lastIndex = offset;
    const excerpt = (EXCERPT_REGEXP.exec(this.#text)?.[0] ?? "").replace(UNPRINTABLE_REGEXP, escapeCharacter);
    return excerpt.startsWith('"') ? excerpt : `"${excerpt}"`;
  }

  /** @throws {FilterError} always: the text at `offset` is not what is `expected` */
  fail(expected: string, offset: number = this.start): never {
    throw withoutStack(() => new FilterError("syntax", { offset, found: this.describe(offset), expected }));
  }

  #readWord(start: number): void {
    const text = this.#text;
    let index = start + 1;
    let code = codeAt(text, index);
    while (WORD_CHARACTERS[code]) {
      index++;
      const next = codeAt(text, index);
      if (code === DOT && WORD_CHARACTERS[next] !== START_OF_NAME) this.fail("a name after the dot", index);
      code = next;
    }
    this.kind = "word";
    this.end = index;
    if (index - start <= MAX_KEYWORD_LENGTH) this.keyword = KEYWORDS.get(packLetters(text, start, index)) ?? "";
  }

  #readNumber(start: number): void {
    const text = this.#text;
    NUMBER_REGEXP.lastIndex = start;
    if (!NUMBER_REGEXP.test(text)) {
      if (text.charAt(start) === "+") this.fail('a space ("%2B" is a plus)');
      if (text.charAt(start) === "'") this.fail("double quotes around a string");
      this.fail("a word, a literal or a parenthesis");
    }
    const end = NUMBER_REGEXP.lastIndex;
    const value = Number(text.slice(start, end));
    if (!Number.isFinite(value)) this.fail("a number within the range of a double");
    if (WORD_CHARACTERS[codeAt(text, end)]) {
      this.fail("a JSON number, a space or a parenthesis after it");
    }
    this.kind = "number";
    this.value = value + 0; // -0 becomes 0, because databases have no -0
    this.end = end;
  }

  #readString(start: number): void {
    const text = this.#text;
    let escaped = false;
    let index = start + 1;
    for (;;) {
      let code = codeAt(text, index);
      while (UNESCAPED[code]) code = codeAt(text, ++index);
      if (code === 0x22) break;
      if (code === 0x5c) {
        escaped = true;
        index = this.#skipEscape(index);
      } else if (code === END) {
        this.fail(`a double quote that closes the string begun at offset ${start}`, index);
      } else if (code < 0x20) {
        this.fail("a JSON string, in which control characters are escaped", index);
      } else if (isSurrogate(code)) {
        this.#assertPair(index, isHighSurrogate(code) && isLowSurrogate(codeAt(text, index + 1)));
        index += 2;
      } else {
        index++;
      }
    }
    this.kind = "string";
    this.end = index + 1;
    this.value = escaped ? (JSON.parse(text.slice(start, this.end)) as string) : text.slice(start + 1, index);
  }

  /** Check the escape sequence at `index`. Returns where it ends. */
  #skipEscape(index: number): number {
    const text = this.#text;
    const character = text.charAt(index + 1);
    if (character !== "" && SINGLE_ESCAPES.includes(character)) return index + 2;
    HEX4_REGEXP.lastIndex = index + 2;
    if (character !== "u" || !HEX4_REGEXP.test(text)) {
      this.fail('a JSON escape sequence: \\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u and four digits', index);
    }
    const code = Number.parseInt(text.slice(index + 2, index + ESCAPE_LENGTH), 16);
    if (isSurrogate(code)) {
      LOW_SURROGATE_ESCAPE_REGEXP.lastIndex = index + ESCAPE_LENGTH;
      this.#assertPair(index, isHighSurrogate(code) && LOW_SURROGATE_ESCAPE_REGEXP.test(text));
      return index + 2 * ESCAPE_LENGTH;
    }
    if (code === 0) this.fail("a string without U+0000, which databases can't store", index);
    return index + ESCAPE_LENGTH;
  }

  /** A character of four bytes is a pair of surrogates. One surrogate alone is not a character. */
  #assertPair(index: number, isPair: boolean): void {
    if (this.#maxBytes === 3) this.fail("characters of at most three UTF-8 bytes", index);
    if (!isPair) this.fail("both halves of a surrogate pair", index);
  }
}

/** Avoids `charCodeAt` beyond the end: one such call makes V8 run every later call more slowly. */
function codeAt(text: string, index: number): number {
  return index < text.length ? text.charCodeAt(index) : END;
}

/** Pack up to five letters into one integer, ignoring case; other characters become zero. */
function packLetters(text: string, start: number, end: number): number {
  let packed = 0;
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    packed = packed * 32 + (code > 0x40 ? code & 0x1f : 0);
  }
  return packed;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
