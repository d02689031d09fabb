import { isLinkRelation } from "./links.js";
import { memoize } from "../options/index.js";

/**
 * The Link field, RFC 8288 section 3.
 *
 * Link       = #link-value
 * link-value = "<" URI-Reference ">" *( OWS ";" OWS link-param )
 * link-param = token BWS [ "=" BWS ( token / quoted-string ) ]
 */

/** What RFC 3986 section 2 has no character for in a URI; among it all that could end the target or the line. */
const UNSAFE_REGEXP = /[^!#-;=?-Z[\]_a-z~]/;
const LONE_PERCENT_REGEXP = /%(?![0-9A-Fa-f]{2})/;
/** What needs no second look: a URI without escapes. One such scan is most of what formatting a link costs. */
const PLAIN_REGEXP = /^[!#-$&-;=?-Z[\]_a-z~]*$/;
const ALL_UNSAFE_REGEXP = new RegExp(`${UNSAFE_REGEXP.source}|${LONE_PERCENT_REGEXP.source}`, "gu");

/** `token` of RFC 9110 section 5.6.2; a last `*` is ours to add, a `rel` is a parameter of its own. */
const PARAMETER_REGEXP = /^(?!rel$)[!#$%&'*+.^_`|~0-9A-Za-z-]*[!#$%&'+.^_`|~0-9A-Za-z-]$/i;

/** `qdtext` and what is escaped in it, RFC 9110 section 5.6.4, in ASCII. */
const QUOTABLE_REGEXP = /^[\t\x20-\x7e]*$/;

const CONTROL_REGEXP = /[\0-\x08\x0a-\x1f\x7f]/;

/** Characters that `encodeURIComponent` leaves alone and `attr-char` of RFC 8187 section 3.2.1 does not have. */
const NOT_ATTR_CHAR_REGEXP = /['()*]/g;

/** ext-value = charset "'" [ language ] "'" value-chars, RFC 8187 section 3.2.1; all must support UTF-8. */
const EXT_VALUE_REGEXP = /^utf-8'[^']*'([^']*)$/i;

const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);

const QUOTE = '"';
const BACKSLASH = "\\";

/** A link as another party wrote it. */
export interface ParsedLink {
  /** The target, perhaps a relative reference, as written: not resolved, not checked. */
  readonly url: string;
  /** Relation types in lower case, for they are compared without regard to case (section 2.1). */
  readonly relations: readonly string[];
  /** Other parameters by their name in lower case; of two of one name the first. No prototype. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Percent-encode, as UTF-8, what no URI can hold, and nothing else. Of two texts that are joined, each can be encoded alone.
 *
 * @throws {TypeError} when `uri` holds a lone surrogate
 */
export function encodeUri(uri: string): string {
  if (PLAIN_REGEXP.test(uri)) return uri;
  return uri.replace(ALL_UNSAFE_REGEXP, (character) => encode(character, "a target"));
}

/**
 * The value of one `Link` line. In the target, what no URI can hold is percent-encoded as UTF-8; a parameter beyond ASCII
 * is written as RFC 8187 has it (`title*=UTF-8''…`). Nothing in either can end the line or begin another link.
 *
 * @param url encoded already; absolute, unless the client is sure to know the base
 * @param relation one relation type, such as `next`
 * @throws {TypeError} when `relation` or the name of a parameter can't be one, a value holds a control character, or a
 *   text holds a lone surrogate
 */
export function formatLinkHeader(url: string, relation: string, parameters?: Readonly<Record<string, string>>): string {
  const line = `<${encodeUri(url)}${formatRelation(relation)}`;
  return parameters === undefined ? line : line + formatParameters(parameters);
}

/**
 * Read `Link`: one value, several lines, or lines that were joined. Never throws; linear in the length. What is not
 * well-formed is left out up to the next comma outside quotes.
 */
export function parseLinkHeader(value: string | readonly string[]): ParsedLink[] {
  const reader = new LinkReader(typeof value === "string" ? value : value.join(","));
  const links: ParsedLink[] = [];
  for (let link = reader.next(); link; link = reader.next()) links.push(link);
  return links;
}

/** The target of the first link with this relation type, `undefined` when there is none. */
export function findLink(links: readonly ParsedLink[], relation: string): string | undefined {
  const wanted = relation.toLowerCase();
  return links.find(({ relations }) => relations.includes(wanted))?.url;
}

const formatRelation = memoize((relation: string) => {
  if (!isLinkRelation(relation) || UNSAFE_REGEXP.test(relation)) {
    throw new TypeError(`${JSON.stringify(relation)} is no link relation`);
  }
  return `>; rel="${relation}"`;
});

function formatParameters(parameters: Readonly<Record<string, string>>): string {
  let text = "";
  for (const [name, value] of Object.entries(parameters)) {
    if (!PARAMETER_REGEXP.test(name)) throw new TypeError(`${JSON.stringify(name)} is no parameter of a link`);
    if (CONTROL_REGEXP.test(value)) throw new TypeError(`the link parameter ${name} holds a control character`);
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
    throw new TypeError(`${place} holds a lone surrogate`);
  }
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Reads one link after another. Characters are looked at one by one: it is what most clients do with every answer. */
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

  /** Of two parameters of one name the first counts (section 3.3); an extended one goes before a plain one (3.4.1). */
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

  /** The name of the parameter that begins here, `undefined` when none does. */
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

  /** Go behind the quoted string that begins here, and say where its closing quote is, or the end without one. */
  #skipQuoted(): number {
    const text = this.#text;
    let end = this.#position + 1;
    while (end < text.length && text[end] !== QUOTE) end += text[end] === BACKSLASH ? 2 : 1;
    this.#position = end + 1;
    return end;
  }

  /** Go to the next comma outside quotes. */
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
