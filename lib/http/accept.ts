import { isUtf8, parseMediaType, type MediaType } from "./media-type.js";
import { memoize } from "../text/index.js";

/**
 * Accept, RFC 9110 section 12.5.1.
 *
 * Accept      = [ ( media-range [ weight ] ) *( OWS "," OWS ( media-range [ weight ] ) ) ]
 * media-range = ( "*" "/" "*" / type "/" "*" / type "/" subtype ) parameters
 * weight      = OWS ";" OWS "q=" qvalue
 *
 * An element of another form is ignored; the others count. An unclosed quote extends to the end of the value.
 */
const ELEMENT_REGEXP = /(?:[^",]+|"(?:[^"\\]|\\[^]?)*"?)+/g;

/** A list without elements means the same as no list. */
const EMPTY_LIST_REGEXP = /^[ \t,]*$/;

/**
 * qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] ), section 12.4.2. The `0` may be missing: Java's
 * HttpURLConnection sends `q=.2`.
 */
const QVALUE_REGEXP = /^(?:0\.?|0?\.[0-9]{1,3}|1(?:\.0{0,3})?)$/;

/** In characters. A longer value accepts nothing; browsers send under 200. */
export const MAX_ACCEPT_LENGTH = 2048;

/** A function that selects the best media type for an `Accept` value; `undefined` when none is acceptable. */
export type MediaTypeSelector = (accept: string | undefined) => string | undefined;

interface MediaRange extends MediaType {
  /** 0 for any type, 1 for `type/*`, 2 for `type/subtype` and one more for each parameter. */
  readonly specificity: number;
  /** 0–1 */
  readonly weight: number;
}

/**
 * Select the best of `offered` for an `Accept` value: the type with the highest weight, and of equal weights the first.
 * The weight of a type is that of the most specific range that matches it; of equally specific ranges the lowest weight
 * counts, so that `q=0` refuses in any order. When `accept` is absent or an empty list, the first type is selected.
 * `undefined` when no type is acceptable, or when `accept` is longer than 2,048 characters.
 *
 * A range with parameters matches a type that has them too. `charset=utf-8` matches every type, since JSON is always
 * UTF-8; another charset matches none.
 *
 * @param offered media types in lower case, without wildcards, the preferred one first
 * @throws {TypeError} when `offered` contains anything else
 * @example
 * selectMediaType("text/csv, application/json;q=0.5", ["application/json", "text/csv"]); // "text/csv"
 */
export function selectMediaType(accept: string | undefined, offered: readonly string[]): string | undefined {
  return select(accept, offered, offered.map(parseOffered));
}

/**
 * {@link selectMediaType} for a list that stays the same. Results are cached for up to 128 `Accept` values.
 *
 * @throws {TypeError} when `offered` contains anything but media types in lower case without wildcards
 * @example
 * const select = compileAccept(["application/json", "text/csv"]);
 * select("text/csv"); // "text/csv"
 */
export function compileAccept(offered: readonly string[]): MediaTypeSelector {
  const names = [...offered];
  const types = names.map(parseOffered);
  const selectCached = memoize((accept) => select(accept, names, types));

  return function selectOffered(accept) {
    return accept === undefined ? names[0] : selectCached(accept);
  };
}

function select(accept: string | undefined, names: readonly string[], types: readonly MediaType[]): string | undefined {
  if (accept === undefined) return names[0];
  if (accept.length > MAX_ACCEPT_LENGTH) return undefined;
  if (EMPTY_LIST_REGEXP.test(accept)) return names[0];

  const ranges = parseRanges(accept);
  let best: string | undefined;
  let bestWeight = 0;
  for (const [index, type] of types.entries()) {
    const weight = weigh(type, ranges);
    if (weight > bestWeight) {
      best = names[index];
      bestWeight = weight;
    }
  }
  return best;
}

function weigh(type: MediaType, ranges: readonly MediaRange[]): number {
  let specificity = -1;
  let weight = 0;
  for (const range of ranges) {
    if (range.specificity < specificity || !matches(range, type)) continue;
    weight = range.specificity > specificity ? range.weight : Math.min(weight, range.weight);
    specificity = range.specificity;
  }
  return weight;
}

function matches(range: MediaRange, { type, parameters }: MediaType): boolean {
  if (range.specificity === 1 && !type.startsWith(range.type.slice(0, -1))) return false;
  if (range.specificity > 1 && range.type !== type) return false;
  for (const [name, value] of range.parameters) {
    if (name === "q") continue;
    if (name === "charset" ? !isUtf8(range) : parameters.get(name)?.toLowerCase() !== value.toLowerCase()) return false;
  }
  return true;
}

function parseRanges(accept: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const element of accept.match(ELEMENT_REGEXP) ?? []) {
    const range = parseRange(element);
    if (range) ranges.push(range);
  }
  return ranges;
}

function parseRange(element: string): MediaRange | undefined {
  const mediaType = parseMediaType(element);
  if (!mediaType) return undefined;
  const { type, parameters } = mediaType;
  const qvalue = parameters.get("q") ?? "1";
  if (!QVALUE_REGEXP.test(qvalue)) return undefined;
  const parameterCount = parameters.has("q") ? parameters.size - 1 : parameters.size;
  return { type, parameters, specificity: rank(type, parameterCount), weight: Number(qvalue) };
}

function rank(type: string, parameterCount: number): number {
  if (type === "*/*") return 0;
  return type.endsWith("/*") ? 1 : 2 + parameterCount;
}

function parseOffered(offered: string): MediaType {
  const mediaType = parseMediaType(offered);
  if (mediaType === undefined || mediaType.type.includes("*") || !offered.startsWith(mediaType.type)) {
    throw new TypeError(`${JSON.stringify(offered)} is not a media type in lower case`);
  }
  return mediaType;
}
