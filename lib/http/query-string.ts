import { excerpt, isSupportedText } from "../text/index.js";

/**
 * Query strings, parsed into lists of parameters from the URL as it was sent.
 *
 * query      = *( pchar / "/" / "?" )                            RFC 3986 section 3.4
 * query      = [ parameter ] *( "&" [ parameter ] )
 * parameter  = name [ "=" value ]
 *
 * Names and values are percent-encoded UTF-8, by default of at most three bytes a character. `+` is a plus by default: only
 * HTML forms (application/x-www-form-urlencoded) use it for a space, not URIs.
 */

/** The default limit. Operations of APIs of this kind have about ten parameters. */
export const MAX_PARAMETERS = 100;

/**
 * Characters that must be percent-encoded in a query: controls, space, `"`, `#`, `<`, `>`, DEL and all beyond ASCII (the
 * query percent-encode set of the URL Standard). RFC 3986 adds ``[ ] \ ^ ` { | }``, but browsers don't encode these.
 */
const UNENCODED = String.raw`[\0-\x20"#<>\x7f-\uffff]`;
const UNENCODED_REGEXP = new RegExp(UNENCODED);

/** A delimiter of a URL that was percent-encoded. In a name it means that its sender encoded too much. */
const ENCODED_DELIMITER_REGEXP = /%(?:23|26|3d|3f)/i;

/**
 * One token of encoded text: pct-encoded of RFC 3986 section 2.1 over UTF8-char of RFC 3629 section 4. A fault matches the
 * group with its name.
 */
const TOKEN_REGEXP = tokenRegExp();

/** A decoded parameter. Without `=` its value is empty. */
export type QueryParameter = readonly [name: string, value: string];

/** The meaning of `+`: a plus, a space as in HTML forms, or a fault. */
export type PlusPolicy = "literal" | "space" | "reject";

export interface ParseQueryOptions {
  /**
   * The meaning of `+`.
   *
   * @default "literal"
   */
  plus?: PlusPolicy;

  /**
   * The most parameters of a query.
   *
   * @default 100
   */
  maxParameters?: number;

  /**
   * How many bytes of UTF-8 a character may take.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

/**
 * - `percent`: a `%` without two hexadecimal digits
 * - `illFormed`: bytes that are not UTF-8, such as overlong forms and surrogates
 * - `fourByte`: a character that takes four bytes in UTF-8, when at most three are allowed
 * - `byteOrderMark`: U+FEFF
 * - `unencoded`: a character that must be percent-encoded
 * - `plus`: a `+`, when the policy is `reject`
 * - `delimiter`: an encoded `=`, `&`, `?` or `#` in a name (rule Q2)
 * - `count`: one parameter too many
 */
export type QueryFaultReason =
  | "percent"
  | "illFormed"
  | "fourByte"
  | "byteOrderMark"
  | "unencoded"
  | "plus"
  | "delimiter"
  | "count";

/** Why and where a query can't be read. */
export interface QueryFault {
  readonly reason: QueryFaultReason;
  /** The name of the faulty parameter, decoded if possible. */
  readonly parameter: string;
  /** Index in the query as sent; 0 is the character after `?`. */
  readonly offset: number;
  /** The text at this place as sent, at most twelve characters; empty for `count`. */
  readonly found: string;
}

export type ParsedQuery =
  | { readonly parameters: readonly QueryParameter[]; readonly fault?: undefined }
  | { readonly parameters?: undefined; readonly fault: QueryFault };

/**
 * Parse a query, without its `?`, into decoded names and values in the order sent. Empty parameters are skipped.
 * Never throws; linear in the length of `query`.
 */
export function parseQuery(
  query: string,
  { plus = "literal", maxParameters = MAX_PARAMETERS, maxBytesPerCharacter = 3 }: Readonly<ParseQueryOptions> = {},
): ParsedQuery {
  const decoding: Decoding = { plus, maxBytes: maxBytesPerCharacter, isEncoded: !UNENCODED_REGEXP.test(query) };
  if (query === "") return { parameters: [] };

  const parameters = new Array<QueryParameter>(countParts(query, maxParameters)); // `push` would make room for 17
  let count = 0;
  let end: number;
  for (let offset = 0; offset < query.length; offset = end + 1) {
    const ampersand = query.indexOf("&", offset);
    end = ampersand === -1 ? query.length : ampersand;
    if (end > offset) {
      const sign = query.indexOf("=", offset);
      const equals = sign === -1 || sign > end ? end : sign;
      const rawName = query.slice(offset, equals);
      const name = decode(rawName, decoding);
      if (name === undefined) return { fault: locate(rawName, offset, rawName, decoding) };
      const delimiter = rawName.includes("%") ? ENCODED_DELIMITER_REGEXP.exec(rawName) : null;
      if (delimiter) return { fault: locateDelimiter(delimiter, offset, name) };
      if (count === maxParameters) return { fault: { reason: "count", parameter: name, offset, found: "" } };

      const rawValue = query.slice(equals + 1, end);
      const value = decode(rawValue, decoding);
      if (value === undefined) return { fault: locate(rawValue, equals + 1, name, decoding) };
      parameters[count++] = [name, value];
    }
  }
  if (count < parameters.length) parameters.length = count; // some are empty
  return { parameters };
}

/** One more than there are `&`, at most `limit`. */
function countParts(query: string, limit: number): number {
  let count = 1;
  for (let at = query.indexOf("&"); at !== -1 && count < limit; at = query.indexOf("&", at + 1)) count++;
  return count;
}

function locateDelimiter({ 0: found, index }: RegExpExecArray, start: number, parameter: string): QueryFault {
  return { reason: "delimiter", parameter, offset: start + index, found };
}

/** How names and values are decoded. */
interface Decoding {
  readonly plus: PlusPolicy;
  readonly maxBytes: 3 | 4;
  /** Whether no part of the query has a character that must be percent-encoded. */
  readonly isEncoded: boolean;
}

/** The values of each name, in the order sent. The object has no prototype, so `__proto__` is an ordinary name. */
export function groupParameters(parameters: readonly QueryParameter[]): Record<string, string[]> {
  const values = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of parameters) (values[name] ??= []).push(value);
  return values;
}

/**
 * Format a fault as a sentence for the sender of the query.
 *
 * @param maxParameters the limit that the parser used
 */
export function formatQueryFault(
  { reason, parameter, offset, found }: QueryFault,
  maxParameters: number = MAX_PARAMETERS,
): string {
  const where = `Query parameter ${excerpt(parameter)}, offset ${offset}:`;
  switch (reason) {
    case "percent":
      return `${where} ${excerpt(found)} is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".`;
    case "illFormed":
      return `${where} ${excerpt(found)} is not well-formed UTF-8.`;
    case "fourByte":
      return `${where} ${excerpt(found)} is a character of four bytes; characters of up to three bytes in UTF-8 are supported.`;
    case "byteOrderMark":
      return `${where} ${excerpt(found)} is a byte order mark; leave it out.`;
    case "unencoded":
      return `${where} ${excerpt(found)} must be percent-encoded.`;
    case "plus":
      return `${where} "+" means a plus to some servers and a space to others; send a space as "%20", a plus as "%2B".`;
    case "delimiter":
      return `${where} ${excerpt(found)} is "${decodeURIComponent(found)}", percent-encoded; send the delimiters of a query as they are.`;
    case "count":
      return `${where} the query has more than ${maxParameters} parameters.`;
  }
}

/** Decode `raw`; `undefined` when it has a fault. */
function decode(raw: string, { plus, maxBytes, isEncoded }: Decoding): string | undefined {
  if (!isEncoded && UNENCODED_REGEXP.test(raw)) return undefined;
  let encoded = raw;
  if (plus !== "literal" && raw.includes("+")) {
    if (plus === "reject") return undefined;
    encoded = raw.replaceAll("+", "%20");
  }
  if (!encoded.includes("%")) return encoded;
  try {
    const text = decodeURIComponent(encoded);
    return isSupportedText(text, maxBytes) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Find the first fault in `raw`, which starts at `start` of the query and could not be decoded. */
function locate(raw: string, start: number, parameter: string, { plus, maxBytes }: Decoding): QueryFault {
  let fault: readonly [string, string | undefined] | undefined;
  let offset = start;
  for (const token of raw.matchAll(TOKEN_REGEXP)) {
    fault = Object.entries<string | undefined>(token.groups ?? {}).find(([, found]) => found !== undefined);
    if (fault?.[0] === "plus" && plus !== "reject") fault = undefined;
    if (fault?.[0] === "fourByte" && maxBytes === 4) fault = undefined;
    offset = start + token.index;
    if (fault) break;
  }
  const [reason, found] = fault as [QueryFaultReason, string];
  return { reason, parameter, offset, found };
}

function tokenRegExp(): RegExp {
  const hex = "[0-9a-f]";
  const tail = `%[89ab]${hex}`;
  const alternatives = [
    "(?<byteOrderMark>%ef%bb%bf)",
    `%[0-7]${hex}`,
    `%(?:c[2-9a-f]|d${hex})${tail}`,
    `%(?:e0%[ab]${hex}|e[1-9abcef]${tail}|ed%[89]${hex})${tail}`,
    `(?<fourByte>%(?:f0%[9ab]${hex}|f[1-3]${tail}|f4%8${hex})${tail}${tail})`,
    `(?<illFormed>%${hex}{2})`,
    "(?<percent>%[^]{0,2})",
    `(?<unencoded>${UNENCODED})`,
    "(?<plus>[+])",
  ];
  return new RegExp(alternatives.join("|"), "gi");
}
