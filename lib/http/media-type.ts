import { isToken, QUOTED_TEXT, TOKEN, TOKEN_CHARACTERS } from "../text/index.js";

/**
 * Media types, RFC 9110 section 8.3.1.
 *
 * media-type      = type "/" subtype parameters
 * parameters      = *( OWS ";" OWS [ parameter ] )
 * parameter       = token "=" ( token / quoted-string )
 * quoted-string   = DQUOTE *( qdtext / quoted-pair ) DQUOTE
 *
 * One deviation: a value without quotes may contain commas (`x=a,b`), because clients send it. Two media types joined by a
 * comma still don't parse, because such a value can't contain `/` or white space.
 */
const TYPE_REGEXP = new RegExp(String.raw`[ \t]*(${TOKEN}/${TOKEN})[ \t]*`, "y");
/** The value without quotes is a token that may contain commas. */
const PARAMETER_REGEXP = new RegExp(
  String.raw`;[ \t]*(?:(${TOKEN})=(?:([,${TOKEN_CHARACTERS}]+)|"(${QUOTED_TEXT})")[ \t]*)?`,
  "y",
);

/** A complete `type "/" subtype`. */
const FULL_TYPE_REGEXP = new RegExp(`^${TOKEN}/${TOKEN}$`);
/** The characters of a quoted string, quoted pairs included. */
const QUOTABLE_REGEXP = /^[\t \x21-\x7e\x80-\xff]*$/;

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** A parsed media type. */
export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly type: string;
  /** Names in lower case; values as sent, without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parse one media type. `undefined` when `value` is not one, or when a parameter comes twice, because parsers disagree on
 * which one counts. A wildcard (`text/*`) parses, because `*` is a token character. Linear in the length of `value`.
 *
 * @example
 * parseMediaType("Text/HTML; Charset=utf-8")?.type; // "text/html"
 */
export function parseMediaType(value: string): MediaType | undefined {
  TYPE_REGEXP.lastIndex = 0;
  const type = TYPE_REGEXP.exec(value)?.[1]?.toLowerCase();
  if (type === undefined) return undefined;
  let index = TYPE_REGEXP.lastIndex;
  if (index === value.length) return { type, parameters: NO_PARAMETERS };

  const parameters = new Map<string, string>();
  while (index < value.length) {
    PARAMETER_REGEXP.lastIndex = index;
    const match = PARAMETER_REGEXP.exec(value);
    if (match === null) return undefined;
    index = PARAMETER_REGEXP.lastIndex;
    const name = match[1]?.toLowerCase();
    if (name === undefined) continue; // a `;` without a parameter
    if (parameters.has(name)) return undefined;
    parameters.set(name, match[2] ?? unquote(match[3] ?? ""));
  }
  return { type, parameters };
}

/**
 * Format a media type. Values are quoted where necessary.
 *
 * @throws {TypeError} when the type, a name or a value contains an invalid character
 * @example
 * formatMediaType({ type: "text/html", parameters: new Map([["charset", "utf-8"]]) }); // "text/html; charset=utf-8"
 */
export function formatMediaType({ type, parameters }: MediaType): string {
  if (!FULL_TYPE_REGEXP.test(type)) throw new TypeError(`${JSON.stringify(type)} is not a media type`);
  let text = type;
  for (const [name, value] of parameters) {
    if (!isToken(name) || !QUOTABLE_REGEXP.test(value)) {
      throw new TypeError(`${JSON.stringify(name)} is not a parameter name, or its value has an invalid character`);
    }
    text += `; ${name}=${isToken(value) ? value : quote(value)}`;
  }
  return text;
}

/**
 * Whether text of this type is UTF-8: `charset` is absent, or `utf-8` in any letter case.
 *
 * @example
 * isUtf8({ type: "text/csv", parameters: new Map([["charset", "latin1"]]) }); // false
 */
export function isUtf8({ parameters }: MediaType): boolean {
  const charset = parameters.get("charset");
  return charset === undefined || charset.toLowerCase() === "utf-8";
}

function unquote(content: string): string {
  return content.includes("\\") ? content.replace(/\\(.)/g, "$1") : content;
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}
