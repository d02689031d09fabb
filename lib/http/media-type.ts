/**
 * Media types, RFC 9110 section 8.3.1.
 *
 * media-type      = type "/" subtype parameters
 * parameters      = *( OWS ";" OWS [ parameter ] )
 * parameter       = token "=" ( token / quoted-string )
 * quoted-string   = DQUOTE *( qdtext / quoted-pair ) DQUOTE
 *
 * One departure: a value without quotes may hold commas (`x=a,b`), because clients send it. Two media types joined by a
 * comma still do not parse, for `/` and white space are not part of such a value.
 */
const TYPE_REGEXP = /[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*/y;
const PARAMETER_REGEXP =
  /;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z,-]+)|"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)")[ \t]*)?/y;

/** All of a `type "/" subtype`, and all of a token. */
const FULL_TYPE_REGEXP = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TOKEN_REGEXP = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What a quoted string can hold, quoted pairs included. */
const QUOTABLE_REGEXP = /^[\t \x21-\x7e\x80-\xff]*$/;

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly type: string;
  /** Names in lower case; values as sent, without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Read one media type. `undefined` when it is not one, or when a parameter comes twice: readers disagree on which counts.
 * A wildcard (`text/*`) parses, for `*` is a token character. Linear in the length of `value`.
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
    if (name === undefined) continue; // `;` with nothing behind it
    if (parameters.has(name)) return undefined;
    parameters.set(name, match[2] ?? unquote(match[3] ?? ""));
  }
  return { type, parameters };
}

/**
 * Write a media type, values quoted where they must be.
 *
 * @throws {TypeError} when the type, a name or a value can't be written
 */
export function formatMediaType({ type, parameters }: MediaType): string {
  if (!FULL_TYPE_REGEXP.test(type)) throw new TypeError(`${JSON.stringify(type)} is no media type`);
  let text = type;
  for (const [name, value] of parameters) {
    if (!TOKEN_REGEXP.test(name) || !QUOTABLE_REGEXP.test(value)) {
      throw new TypeError(`${JSON.stringify(name)} is no parameter name, or its value can't be written`);
    }
    text += `; ${name}=${TOKEN_REGEXP.test(value) ? value : quote(value)}`;
  }
  return text;
}

/** Whether text of this type is UTF-8: `charset` is absent, or `utf-8` in any case. */
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
