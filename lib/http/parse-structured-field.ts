import {
  type BareItem,
  FieldDecimal,
  FieldDisplayString,
  type FieldInnerList,
  type FieldItem,
  KEY,
  type FieldMember,
  type FieldParameters,
  SF_TOKEN,
  FieldToken,
} from "./structured-field.js";

/* Each is tried where the parser stands. */
const KEY_REGEXP = new RegExp(KEY, "y");
const TOKEN_REGEXP = new RegExp(SF_TOKEN, "y");
const NUMBER_REGEXP = /-?(\d+)(?:\.(\d+))?/y;
const STRING_REGEXP = /"((?:[ !#-[\]-~]|\\["\\])*)"/y;
const BYTES_REGEXP = /:([A-Za-z0-9+/]*={0,2}):/y;
const BOOLEAN_REGEXP = /\?([01])/y;
const DATE_REGEXP = /@(-?\d{1,15})(?!\d|\.)/y;
const DISPLAY_REGEXP = /%"((?:[ !#$&-~]|%[0-9a-f]{2})*)"/y;
const SPACES_REGEXP = / */y;
const OPTIONAL_WHITESPACE_REGEXP = /[\t ]*/y;

/** The farthest that a `Date` reaches from 1970, in seconds; RFC 9651 asks for the years 1 to 9999 at least. */
const MAX_DATE_SECONDS = 8_640_000_000_000;

/** The longest text that is parsed, in UTF-16 code units. Node refuses heads of 16 KiB unless it is told otherwise. */
export const MAX_STRUCTURED_FIELD_LENGTH = 65_536;

/** What does not follow the grammar. */
class SyntaxFault extends Error {}

/**
 * Parse the value of a structured field whose type is List, such as `RateLimit`. Several lines are one, joined by commas.
 *
 * @param text at most 65,536 characters
 * @returns its members in order; `undefined` if it breaks the grammar or is longer, because such a field is ignored as a whole
 * @see RFC 9651 section 4.2.1
 * @example
 * parseListField('"day";r=50;t=30')?.[0]; // { value: "day", parameters: Map { "r" => 50, "t" => 30 } }
 */
export function parseListField(text: string): FieldMember[] | undefined {
  return parse(text, (parser) => {
    const members: FieldMember[] = [];
    if (parser.isAtEnd()) return members;
    do {
      members.push(parser.readMember());
    } while (parser.readComma());
    return members;
  });
}

/**
 * Parse the value of a structured field whose type is Dictionary, such as `Priority`. Of several members with the same key
 * the last value counts, in the place of the first.
 *
 * @param text at most 65,536 characters
 * @returns its members by key, in order; `undefined` if it breaks the grammar or is longer
 * @see RFC 9651 section 4.2.2
 * @example
 * parseDictionaryField("u=1, i")?.get("u"); // { value: 1, parameters: Map {} }
 */
export function parseDictionaryField(text: string): Map<string, FieldMember> | undefined {
  return parse(text, (parser) => {
    const members = new Map<string, FieldMember>();
    if (parser.isAtEnd()) return members;
    do {
      const key = parser.readKey();
      const member = parser.take("=") ? parser.readMember() : { value: true, parameters: parser.readParameters() };
      members.set(key, member);
    } while (parser.readComma());
    return members;
  });
}

/**
 * Parse the value of a structured field whose type is Item.
 *
 * @param text at most 65,536 characters
 * @returns the item; `undefined` if it breaks the grammar or is longer
 * @see RFC 9651 section 4.2.3
 * @example
 * parseItemField("?1;cause=slow"); // { value: true, parameters: Map { "cause" => FieldToken { value: "slow" } } }
 */
export function parseItemField(text: string): FieldItem | undefined {
  return parse(text, (parser) => parser.readItem());
}

function parse<T>(text: string, read: (parser: Parser) => T): T | undefined {
  if (text.length > MAX_STRUCTURED_FIELD_LENGTH) return undefined;
  const parser = new Parser(text);
  try {
    parser.skip(SPACES_REGEXP);
    const value = read(parser);
    parser.skip(SPACES_REGEXP);
    return parser.isAtEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined;
    throw error;
  }
}

class Parser {
  private position = 0;

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    return this.position === this.text.length;
  }

  /** Whether `character` is next; it is taken. */
  take(character: string): boolean {
    if (this.text[this.position] !== character) return false;
    this.position += 1;
    return true;
  }

  skip(regexp: RegExp): void {
    this.match(regexp);
  }

  /** Whether a comma with another member follows. */
  readComma(): boolean {
    this.skip(OPTIONAL_WHITESPACE_REGEXP);
    if (this.isAtEnd()) return false;
    if (!this.take(",")) throw new SyntaxFault();
    this.skip(OPTIONAL_WHITESPACE_REGEXP);
    if (this.isAtEnd()) throw new SyntaxFault();
    return true;
  }

  readMember(): FieldMember {
    return this.text[this.position] === "(" ? this.readInnerList() : this.readItem();
  }

  private readInnerList(): FieldInnerList {
    this.position += 1;
    const items: FieldItem[] = [];
    for (;;) {
      this.skip(SPACES_REGEXP);
      if (this.take(")")) return { items, parameters: this.readParameters() };
      items.push(this.readItem());
      const next = this.text[this.position];
      if (next !== " " && next !== ")") throw new SyntaxFault();
    }
  }

  readItem(): FieldItem {
    return { value: this.readBareItem(), parameters: this.readParameters() };
  }

  readParameters(): FieldParameters {
    const parameters = new Map<string, BareItem>();
    while (this.take(";")) {
      this.skip(SPACES_REGEXP);
      const key = this.readKey();
      const value = this.take("=") ? this.readBareItem() : true;
      parameters.set(key, value);
    }
    return parameters;
  }

  readKey(): string {
    return this.expect(KEY_REGEXP)[0];
  }

  private readBareItem(): BareItem {
    switch (this.text[this.position]) {
      case '"':
        return this.inside(STRING_REGEXP).replace(/\\(.)/g, "$1");
      case ":":
        return decodeBytes(this.inside(BYTES_REGEXP));
      case "?":
        return this.expect(BOOLEAN_REGEXP)[1] === "1";
      case "@":
        return toDate(Number(this.expect(DATE_REGEXP)[1]));
      case "%":
        return decodeDisplayString(this.inside(DISPLAY_REGEXP));
      default: {
        const number = this.match(NUMBER_REGEXP);
        return number ? toNumber(number) : new FieldToken(this.expect(TOKEN_REGEXP)[0]);
      }
    }
  }

  private match(regexp: RegExp): RegExpExecArray | null {
    regexp.lastIndex = this.position;
    const match = regexp.exec(this.text);
    if (match) this.position = regexp.lastIndex;
    return match;
  }

  /** What the parentheses of `regexp` match. */
  private inside(regexp: RegExp): string {
    return this.expect(regexp)[1] ?? "";
  }

  private expect(regexp: RegExp): RegExpExecArray {
    const match = this.match(regexp);
    if (!match) throw new SyntaxFault();
    return match;
  }
}

function toNumber([text, whole = "", fraction]: RegExpExecArray): number | FieldDecimal {
  if (whole.length > (fraction === undefined ? 15 : 12) || (fraction?.length ?? 0) > 3) throw new SyntaxFault();
  return fraction === undefined ? Number(text) : new FieldDecimal(Number(text));
}

function toDate(seconds: number): Date {
  if (Math.abs(seconds) > MAX_DATE_SECONDS) throw new SyntaxFault();
  return new Date(seconds * 1_000);
}

/** Padding may be missing, as section 4.2.7 allows. */
function decodeBytes(base64: string): Uint8Array {
  if (base64.replace(/=+$/, "").length % 4 === 1) throw new SyntaxFault();
  return new Uint8Array(Buffer.from(base64, "base64"));
}

function decodeDisplayString(text: string): FieldDisplayString {
  try {
    return new FieldDisplayString(decodeURIComponent(text));
  } catch {
    throw new SyntaxFault(); // its bytes are not UTF-8
  }
}
