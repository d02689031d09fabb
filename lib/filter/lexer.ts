import { FILTER_OPERATORS, RESERVED_WORDS } from "./ast.js";
import { FilterError } from "./error.js";

/**
 * The tokens of an expression.
 *
 * word   = name *( "." name )
 * name   = ( ALPHA / "_" ) *( ALPHA / DIGIT / "_" / "-" )
 * string = a JSON string (RFC 8259 section 7), U+0000 excepted, of characters of as many UTF-8 bytes as they may take
 * number = a JSON number (RFC 8259 section 6) within the range of a double
 *
 * White space (that of JSON) may stand between any two tokens and must stand between two that are words or numbers.
 */
export type TokenKind = "word" | "string" | "number" | "(" | ")" | "end";

const NUMBER_REGEXP = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** What an error shows of the text: a string or what goes up to a delimiter, at most 32 characters of it. */
const EXCERPT_REGEXP = /"[^"]{0,32}"?|[^\s()"]{1,32}|[^]/y;

/** Control characters and surrogates, which an answer does not repeat as they came. */
const UNPRINTABLE_REGEXP = /[\x00-\x1f\x7f-\x9f\ud800-\udfff]/g;

const HEX4_REGEXP = /[0-9A-Fa-f]{4}/y;
const LOW_SURROGATE_ESCAPE_REGEXP = /\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}/y;
const ESCAPE_LENGTH = 6;

const DOT = 0x2e;
const START_OF_NAME = 2;

/** Which characters stand in a word, by code: 0 for none. */
const WORD_CHARACTERS = new Uint8Array(128);
for (const character of "0123456789-.") WORD_CHARACTERS[character.charCodeAt(0)] = 1;
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") {
  WORD_CHARACTERS[character.charCodeAt(0)] = START_OF_NAME;
}

/** Which characters stand for themselves in a string, by code: those of ASCII, which are most. 0 for none. */
const UNESCAPED = new Uint8Array(128).fill(1, 0x20);
UNESCAPED[0x22] = 0;
UNESCAPED[0x5c] = 0;

const MAX_KEYWORD_LENGTH = 5;

/** By their packed letters: an integer is found in half the time of a new string. */
const KEYWORDS: ReadonlyMap<number, string> = new Map(
  [...RESERVED_WORDS, ...FILTER_OPERATORS].map((keyword) => [packLetters(keyword, 0, keyword.length), keyword]),
);

/** No character. */
const END = -1;

const SINGLE_ESCAPES = '"\\/bfnrt';

/** Reads one token at a time, so that a text that fails early costs no more than its beginning. */
export class Lexer {
  /** The token in hand. */
  kind: TokenKind = "end";
  /** Where it begins. */
  start = 0;
  /** Where it ends, exclusive. */
  end = 0;
  /** The literal decoded. */
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
   * @throws {FilterError} when there is none
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

  /** The token in hand as written. Cut out on demand: of most words no more is asked than the keyword. */
  get written(): string {
    return this.#text.slice(this.start, this.end);
  }

  /** The token in hand, or the text at `offset`, as an error shows it. */
  describe(offset: number = this.start): string {
    if (offset >= this.#text.length) return "the end";
    EXCERPT_REGEXP.lastIndex = offset;
    const excerpt = (EXCERPT_REGEXP.exec(this.#text)?.[0] ?? "").replace(UNPRINTABLE_REGEXP, escapeCharacter);
    return excerpt.startsWith('"') ? excerpt : `"${excerpt}"`;
  }

  /** @throws {FilterError} always: at `offset` stands something else than what is `expected` */
  fail(expected: string, offset: number = this.start): never {
    throw new FilterError("syntax", { offset, found: this.describe(offset), expected });
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
      if (text.charAt(start) === "+") this.fail('a space, which is sent as %20 ("+" means a plus)');
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
    this.value = value + 0; // -0 is 0: databases have no other
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

  /** Check the escape sequence at `index` and answer where it ends. */
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
    if (code === 0) this.fail("a string without U+0000, which no database of this service can hold", index);
    return index + ESCAPE_LENGTH;
  }

  /** A character of four bytes is a pair of surrogates, and half of one is no character. */
  #assertPair(index: number, isPair: boolean): void {
    if (this.#maxBytes === 3) this.fail("characters of at most three UTF-8 bytes", index);
    if (!isPair) this.fail("both halves of a surrogate pair", index);
  }
}

/** `charCodeAt` is not asked beyond the end, because one miss makes the call slow for good. */
function codeAt(text: string, index: number): number {
  return index < text.length ? text.charCodeAt(index) : END;
}

/** Up to five letters as one integer, upper and lower case as equals; other characters as zero. */
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
