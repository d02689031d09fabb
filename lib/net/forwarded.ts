import { QUOTED_TEXT, TOKEN } from "../text/index.js";

/**
 * Fields in which proxies report the hops before them. Each list is read from the right, where the nearest proxy wrote.
 * A client controls only the left end, and can't change how the rest is read, not even with an unclosed quote.
 *
 * X-Forwarded-For   = 1#node
 * X-Forwarded-Proto = 1#scheme
 * Forwarded         = 1#forwarded-element     RFC 7239 section 4
 * forwarded-element = [ pair ] *( ";" [ pair ] )
 * pair              = token "=" ( token / quoted-string )
 */
const PAIR_REGEXP = new RegExp(`(${TOKEN})=(?:(${TOKEN})|"(${QUOTED_TEXT})")(?:;|$)`, "y");

const QUOTED_PAIR_REGEXP = /\\(.)/g;

const HTAB = 0x09;
const SP = 0x20;

/**
 * The last `limit` elements of `X-Forwarded-For`, the last one first, without the white space around them. An empty
 * element is kept: it may stand for a hop that a proxy could not name.
 */
export function parseForwardedFor(value: string, limit: number): string[] {
  return splitFromRight(value, limit, commaBefore);
}

/**
 * The nodes in the `for` parameters of the last `limit` elements of `Forwarded`, the last one first. The node of an
 * element that has none, or is malformed, is empty.
 */
export function parseForwarded(value: string, limit: number): string[] {
  return splitFromRight(value, limit, unquotedCommaBefore).map(parseForNode);
}

/** The last element of `X-Forwarded-Proto`, in lower case; empty when a proxy left it out. */
export function parseForwardedProto(value: string): string {
  return sliceTrimmed(value, value.lastIndexOf(",") + 1, value.length).toLowerCase();
}

function splitFromRight(
  value: string,
  limit: number,
  separatorBefore: (value: string, end: number) => number,
): string[] {
  let end = value.length;
  let count = 0;
  for (; end >= 0 && count < limit; count++) end = separatorBefore(value, end);
  const isAll = end < 0;

  const elements = new Array<string>(count); // `push` would make room for 17
  end = value.length;
  for (let index = 0; index < count; index++) {
    const separator = separatorBefore(value, end);
    elements[index] = sliceTrimmed(value, separator + 1, end);
    end = separator;
  }
  const isBlank = isAll && count === 1 && elements[0] === "";
  return isBlank ? [] : elements;
}

/** The position of the last comma before `end`, or -1. */
function commaBefore(value: string, end: number): number {
  return end === 0 ? -1 : value.lastIndexOf(",", end - 1);
}

/** The position of the last comma before `end` that is not in a quoted string, or -1. */
function unquotedCommaBefore(value: string, end: number): number {
  let quoted = false;
  for (let position = end - 1; position >= 0; position--) {
    const character = value[position];
    if (character === '"') {
      let backslash = position;
      while (value[backslash - 1] === "\\") backslash--;
      if ((position - backslash) % 2 === 0) quoted = !quoted;
    } else if (character === "," && !quoted) {
      return position;
    }
  }
  return -1;
}

function parseForNode(element: string): string {
  const parameters = new Map<string, string>();
  for (let position = 0; position < element.length;) {
    if (element[position] === ";") {
      position++;
      continue;
    }
    PAIR_REGEXP.lastIndex = position;
    const [pair, name = "", token, quoted = ""] = PAIR_REGEXP.exec(element) ?? [];
    // RFC 7239 section 4: no parameter occurs twice in an element.
    if (pair === undefined || parameters.has(name.toLowerCase())) return "";
    parameters.set(name.toLowerCase(), token ?? quoted.replace(QUOTED_PAIR_REGEXP, "$1"));
    position += pair.length;
  }
  return parameters.get("for") ?? "";
}

/** `value` from `start` to `end`, without the optional white space (RFC 9110 section 5.6.3) at both ends. */
function sliceTrimmed(value: string, start: number, end: number): string {
  let first = start;
  let last = end;
  while (first < last && isOws(value.charCodeAt(first))) first++;
  while (last > first && isOws(value.charCodeAt(last - 1))) last--;
  return value.slice(first, last);
}

function isOws(code: number): boolean {
  return code === SP || code === HTAB;
}
