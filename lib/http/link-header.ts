import { isLinkRelation } from "./links.js";
import { memoize, TOKEN } from "../text/index.js";

/**
 * The Link field, RFC 8288 section 3.
 *
 * Link       = #link-value
 * link-value = "<" URI-Reference ">" *( OWS ";" OWS link-param )
 * link-param = token BWS [ "=" BWS ( token / quoted-string ) ]
 */

/** Characters that RFC 3986 section 2 does not allow in a URI. They include all that could end the target or the line. */
const UNSAFE_REGEXP = /[^!#-;=?-Z[\]_a-z~]/;
const LONE_PERCENT_REGEXP = /%(?![0-9A-Fa-f]{2})/;
const UNENCODED = `${UNSAFE_REGEXP.source}|${LONE_PERCENT_REGEXP.source}`;
/** One such scan is most of the cost of formatting a link. */
const UNENCODED_REGEXP = new RegExp(UNENCODED);
const ALL_UNENCODED_REGEXP = new RegExp(UNENCODED, "gu");

/** A token without a `*` at the end, which is added for RFC 8187, and without `rel`. */
const PARAMETER_REGEXP = new RegExp(`^(?!rel$)${TOKEN}(?<!\\*)$`, "i");

/** `qdtext` and what is escaped in it, RFC 9110 section 5.6.4, in ASCII. */
const QUOTABLE_REGEXP = /^[\t\x20-\x7e]*$/;

const CONTROL_REGEXP = /[\0-\x08\x0a-\x1f\x7f]/;

/** Characters that `encodeURIComponent` does not encode and `attr-char` of RFC 8187 section 3.2.1 does not include. */
const NOT_ATTR_CHAR_REGEXP = /['()*]/g;

/** ext-value = charset "'" [ language ] "'" value-chars, RFC 8187 section 3.2.1; all must support UTF-8. */
const EXT_VALUE_REGEXP = /^utf-8'[^']*'([^']*)$/i;

const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);

const QUOTE = '"';
const BACKSLASH = "\\";

/** A link of a `Link` field that another party wrote. */
export interface ParsedLink {
  /** The target as written, possibly a relative reference: neither resolved nor checked. */
  readonly url: string;
  /** Relation types in lower case, because they are case-insensitive (section 2.1). */
  readonly relations: readonly string[];
  /** Other parameters by name in lower case; the first of several with the same name. The object has no prototype. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Percent-encode, as UTF-8, the characters that a URI can't contain, and no others. Encoding two parts of a URI separately
 * gives the same result as encoding the whole.
 *
 * @throws {TypeError} when `uri` contains a lone surrogate
 * @example
 * encodeUri("/users?name=Jö%C3%B6"); // "/users?name=J%C3%B6%C3%B6"
 */
export function encodeUri(uri: string): string {
  if (!UNENCODED_REGEXP.test(uri)) return uri;
  return uri.replace(ALL_UNENCODED_REGEXP, (character) => encode(character, "a target"));
}

/**
 * Format the value of one `Link` line. Characters that a URI can't contain are percent-encoded as UTF-8 in the target. A
 * parameter beyond ASCII is written in the form of RFC 8187 (`title*=UTF-8''…`). Neither can end the line or begin another
 * link.
 *
 * @param url the target, percent-encoded; absolute, unless the client knows the base
 * @param relation one relation type, such as `next`
 * @throws {TypeError} when `relation` or the name of a parameter is invalid, a value contains a control character, or a
 *   text contains a lone surrogate
 * @example
 * formatLinkHeader("https://api.example.com/users?after=1", "next"); // '<https://api.example.com/users?after=1>; rel="next"'
 */
export function formatLinkHeader(url: string, relation: string, parameters?: Readonly<Record<string, string>>): string {
  const line = `<${encodeUri(url)}${formatRelation(relation)}`;
  return parameters === undefined ? line : line + formatParameters(parameters);
}

/**
 * Parse `Link`: one value, several lines, or lines that were joined. Malformed text is skipped up to the next comma outside
 * quotes. Never throws; linear in the length.
 *
 * @example
 * parseLinkHeader('</users?after=1>; rel="next"'); // [{ url: "/users?after=1", relations: ["next"], parameters: {} }]
 */
export function parseLinkHeader(value: string | readonly string[]): ParsedLink[] {
  const reader = new LinkReader(typeof value === "string" ? value : value.join(","));
  const links: ParsedLink[] = [];
  for (let link = reader.next(); link; link = reader.next()) links.push(link);
  return links;
}

/**
 * The target of the first link with this relation type; `undefined` when there is none.
 *
 * @example
 * findLink(parseLinkHeader('</users?after=1>; rel="next"'), "next"); // "/users?after=1"
 */
export function findLink(links: readonly ParsedLink[], relation: string): string | undefined {
  const wanted = relation.toLowerCase();
  return links.find(({ relations }) => relations.includes(wanted))?.url;
}

const formatRelation = memoize((relation: string) => {
  if (!isLinkRelation(relation) || UNSAFE_REGEXP.test(relation)) {
    throw new TypeError(`${JSON.stringify(relation)} is not a link relation`);
  }
  return `>; rel="${relation}"`;
});

function formatParameters(parameters: Readonly<Record<string, string>>): string {
  let text = "";
  for (const [name, value] of Object.entries(parameters)) {
    if (!PARAMETER_REGEXP.test(name))
      throw new TypeError(`${JSON.stringify(name)} is not the name of a link parameter`);
    if (CONTROL_REGEXP.test(value)) throw new TypeError(`the link parameter ${name} contains a control character`);
    text += QUOTABLE_REGEXP.test(value)
      ? `; ${name}="${value.replace(/["\\]/g, "\\$&")}"`
      : `; ${name}*=UTF-8''${encode(value, `the link parameter ${name}`).replace(NOT_ATTR_CHAR_REGEXP, percentEncode)}`;
  }
  return text;
}

function encode(text: string, place: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new TypeError(`${place} contains a lone surrogate`);
  }
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Reads one link after another, character by character. */
class LinkReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): ParsedLink | undefined {
    const text = this.#text;
    for (;;) {
      this.#skip(isSeparator);
      if (text[this.#position] === "<") break;
      if (this.#position >= text.length) return undefined;
      this.#skipRemainder();
    }
    const start = this.#position + 1;
    const end = text.indexOf(">", start);
    if (end === -1) return undefined;
    this.#position = end + 1;
    const link = this.#readParameters(text.slice(start, end));
    this.#skipRemainder();
    return link;
  }

  /** The first of several parameters with the same name counts (section 3.3). An extended one wins over a plain one (3.4.1). */
  #readParameters(url: string): ParsedLink {
    let rel: string | undefined;
    let plain: Record<string, string> | undefined;
    let extended: Record<string, string> | undefined;
    for (let name = this.#readName(); name !== undefined; name = this.#readName()) {
      const value = this.#readValue();
      if (name === "rel") {
        rel ??= value;
      } else if (name.endsWith("*") && name !== "rel*") {
        const decoded = decodeExtValue(value);
        extended ??= Object.create(null) as Record<string, string>;
        if (decoded !== undefined) extended[name.slice(0, -1)] ??= decoded;
      } else if (name !== "") {
        plain ??= Object.create(null) as Record<string, string>;
        plain[name] ??= value;
      }
    }
    const parameters = extended ? Object.assign(plain ?? extended, extended) : (plain ?? NO_PARAMETERS);
    return { url, relations: parseRelations(rel), parameters };
  }

  /** The name of the parameter that begins here; `undefined` when none begins here. */
  #readName(): string | undefined {
    const before = this.#position;
    this.#skip(isSpace);
    if (this.#text[this.#position] !== ";") {
      this.#position = before;
      return undefined;
    }
    this.#position += 1;
    this.#skip(isSpace);
    const start = this.#position;
    this.#skip(isNameCharacter);
    return this.#text.slice(start, this.#position).toLowerCase();
  }

  /** The value of the parameter whose name ends here; empty when it has none. */
  #readValue(): string {
    this.#skip(isSpace);
    if (this.#text[this.#position] !== "=") return "";
    this.#position += 1;
    this.#skip(isSpace);
    const start = this.#position;
    if (this.#text[start] === QUOTE) {
      const end = this.#skipQuoted();
      const value = this.#text.slice(start + 1, end);
      return value.includes(BACKSLASH) ? value.replace(/\\([^])/g, "$1") : value;
    }
    this.#skip(isValueCharacter);
    return this.#text.slice(start, this.#position).trimEnd();
  }

  /** Skip the quoted string that begins here. Returns the index of its closing quote, or of the end when there is none. */
  #skipQuoted(): number {
    const text = this.#text;
    let end = this.#position + 1;
    while (end < text.length && text[end] !== QUOTE) end += text[end] === BACKSLASH ? 2 : 1;
    this.#position = end + 1;
    return end;
  }

  /** Skip to the next comma outside quotes. */
  #skipRemainder(): void {
    const text = this.#text;
    while (this.#position < text.length && text[this.#position] !== ",") {
      if (text[this.#position] === QUOTE) this.#skipQuoted();
      else this.#position += 1;
    }
  }

  #skip(isSkipped: (character: string) => boolean): void {
    const text = this.#text;
    while (this.#position < text.length && isSkipped(text.charAt(this.#position))) this.#position += 1;
  }
}

function isSpace(character: string): boolean {
  return character === " " || character === "\t";
}

function isSeparator(character: string): boolean {
  return isSpace(character) || character === ",";
}

function isValueCharacter(character: string): boolean {
  return character !== ";" && character !== ",";
}

function isNameCharacter(character: string): boolean {
  return isValueCharacter(character) && character !== "=" && !isSpace(character);
}

function parseRelations(rel = ""): string[] {
  const text = rel.toLowerCase();
  return /^[^\t ]+$/.test(text) ? [text] : text.split(/[\t ]+/).filter(Boolean);
}

function decodeExtValue(value: string): string | undefined {
  const encoded = EXT_VALUE_REGEXP.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
