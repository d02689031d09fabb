import type { CursorDirection } from "./cursor.js";
import { excerpt, memoize } from "../text/index.js";
import { encodeUri, formatQueryFault, type QueryParameter, type RequestQuery } from "../http/index.js";
import { assertKnownOptions, integerOption, optionError } from "../factory/index.js";

/** `limit`, `after` and `before` of a list, and the parts of the query that links to its pages keep, percent-encoded. */
export interface PageQuery {
  readonly limit: number;
  /** As sent, not verified. `undefined` for the first page. */
  readonly cursor: { readonly direction: CursorDirection; readonly text: string } | undefined;
  /** The whole query as sent, without `?`. */
  readonly self: string;
  /** The query without a cursor. */
  readonly start: string;
  /** The query without a cursor and without parameters that exclude a cursor. */
  readonly others: string;
  /** The parameters that select and sort the rows, in canonical order: all except the paging parameters. */
  readonly selection: string;
}

/** Why the parameters are refused. The message is for their sender. */
export interface PageQueryFault {
  readonly reason: "malformed" | "limit" | "cursor" | "combination";
  readonly message: string;
}

export type ParsedPageQuery = { readonly query: PageQuery; readonly fault?: undefined } | PageQueryRefusal;

interface PageQueryRefusal {
  readonly query?: undefined;
  readonly fault: PageQueryFault;
}

/** Bounds of `limit`, inclusive. */
export interface PageLimit {
  /** The limit of a request without the parameter. */
  readonly default: number;
  /** The greatest limit. */
  readonly max: number;
  /** The least limit. */
  readonly min: number;
}

const LIMIT_REGEXP = /^[0-9]+$/;

const LIMIT_OPTIONS: Record<keyof PageLimit, true> = { default: true, max: true, min: true };
const DEFAULT_LIMIT = 20;
const DEFAULT_MAX_LIMIT = 200;

/**
 * Check the option `limit` of a factory and add the defaults.
 *
 * @throws {TypeError} when a member is unknown or out of bounds
 */
export function parsePageLimit(factory: string, limit: Readonly<Partial<PageLimit>> = {}): PageLimit {
  if (typeof limit !== "object" || (limit as unknown) === null) {
    throw optionError(factory, "limit", "an object such as `{ default: 20, max: 200 }`");
  }
  assertKnownOptions(`${factory}.limit`, limit, LIMIT_OPTIONS);
  const max = bound("max", { fallback: DEFAULT_MAX_LIMIT, min: 1, max: Number.MAX_SAFE_INTEGER - 1 });
  const min = bound("min", { fallback: 1, min: 0, max });
  return { default: bound("default", { fallback: Math.max(min, Math.min(DEFAULT_LIMIT, max)), min, max }), max, min };

  function bound(name: keyof PageLimit, bounds: Readonly<{ fallback: number; min: number; max: number }>): number {
    return integerOption(factory, `limit.${name}`, limit[name], bounds);
  }
}

/** Check the option `polling` of a factory, whose function must return a boolean. */
export function parsePolling<T>(factory: string, value: boolean | ((req: T) => boolean) = false): (req: T) => boolean {
  if (typeof value === "function") return (req) => check(value(req));
  const polling = check(value);
  return () => polling;

  function check(candidate: unknown): boolean {
    if (typeof candidate === "boolean") return candidate;
    throw optionError(factory, "polling", "a boolean, or a function that returns one");
  }
}

/** The parameters of a query by their purpose. */
interface SortedParameters {
  /** Values of `limit`, `after` and `before`. */
  readonly paging: ReadonlyMap<string, string>;
  /** All except a cursor, as sent. */
  readonly start: readonly string[];
  /** All that are allowed together with a cursor, as sent. */
  readonly others: readonly string[];
  readonly selection: readonly QueryParameter[];
  /** The name of a parameter that excludes a cursor, if there is one. */
  readonly startName: string | undefined;
}

interface PageQueryRules {
  readonly limits: PageLimit;
  readonly startNames: ReadonlySet<string>;
  readonly maxBytesPerCharacter: 3 | 4;
}

/**
 * Create a reader for the queries of one list. It never throws. Its results are frozen, and cached for repeated queries.
 *
 * @param firstPageOnly parameters that say where the list begins, and so exclude a cursor
 * @param maxBytesPerCharacter how many bytes of UTF-8 a character may take
 */
export function compilePageQueryReader(
  limits: PageLimit,
  firstPageOnly: readonly string[],
  maxBytesPerCharacter: 3 | 4 = 3,
): (query: RequestQuery) => ParsedPageQuery {
  const rules: PageQueryRules = { limits, startNames: new Set(firstPageOnly), maxBytesPerCharacter };
  const read = memoize((_text, query: RequestQuery) => readPageQuery(query, rules));
  return (query) => read(query.text, query);
}

function readPageQuery(
  query: RequestQuery,
  { limits, startNames, maxBytesPerCharacter }: PageQueryRules,
): ParsedPageQuery {
  const { parameters, fault } = query.parse({ maxBytesPerCharacter });
  if (fault) return refuse("malformed", formatQueryFault(fault));

  const sent = encodeUri(query.text)
    .split("&")
    .filter((pair) => pair !== ""); // one for each of `parameters`
  const sorted = sortParameters(parameters, sent, startNames);
  if ("fault" in sorted) return sorted;

  const { paging, start, others, selection, startName } = sorted;
  const cursor = readCursor(paging);
  if (typeof cursor === "string") return refuse("cursor", cursor);
  if (cursor !== undefined && startName !== undefined) {
    return refuse("combination", `${startName}, ${cursor.direction}: give one of them.`);
  }
  const limit = readLimit(paging.get("limit"), limits);
  if (typeof limit === "string") return refuse("limit", limit);
  const texts = { self: sent.join("&"), start: start.join("&"), others: others.join("&") };
  return { query: new ReadPageQuery(limit, cursor, texts, selection) };
}

/** Its `selection` is formatted when it is first read: only a cursor needs it, and most pages have none. */
class ReadPageQuery implements PageQuery {
  readonly limit: number;
  readonly cursor: PageQuery["cursor"];
  readonly self: string;
  readonly start: string;
  readonly others: string;

  readonly #selected: readonly QueryParameter[];
  #selection: string | undefined;

  constructor(
    limit: number,
    cursor: PageQuery["cursor"],
    { self, start, others }: Pick<PageQuery, "self" | "start" | "others">,
    selected: readonly QueryParameter[],
  ) {
    this.limit = limit;
    this.cursor = cursor;
    this.self = self;
    this.start = start;
    this.others = others;
    this.#selected = selected;
    Object.freeze(this);
  }

  get selection(): string {
    return (this.#selection ??= formatSelection(this.#selected));
  }
}

function sortParameters(
  parameters: readonly QueryParameter[],
  sent: readonly string[],
  startNames: ReadonlySet<string>,
): SortedParameters | PageQueryRefusal {
  const paging = new Map<string, string>();
  const start: string[] = [];
  const others: string[] = [];
  const selection: QueryParameter[] = [];
  let startName: string | undefined;
  for (const [index, parameter] of parameters.entries()) {
    const [name, value] = parameter;
    const pair = sent[index] ?? "";
    const isCursor = name === "after" || name === "before";
    if (isCursor || name === "limit") {
      if (paging.has(name)) return refuse(isCursor ? "cursor" : "limit", `${name}: given more than once.`);
      paging.set(name, value);
    }
    if (isCursor) continue;
    start.push(pair);
    if (startNames.has(name)) {
      startName = name;
    } else {
      others.push(pair);
      if (name !== "limit") selection.push(parameter);
    }
  }
  return { paging, start, others, selection, startName };
}

function refuse(reason: PageQueryFault["reason"], message: string): PageQueryRefusal {
  return { fault: { reason, message } };
}

/** The cursor, or a message that says what is wrong with it. */
function readCursor(paging: ReadonlyMap<string, string>): PageQuery["cursor"] | string {
  const after = paging.get("after");
  const before = paging.get("before");
  if (after !== undefined && before !== undefined) return "after, before: give one of them.";
  const direction = before === undefined ? "after" : "before";
  const text = before ?? after;
  if (text === undefined) return undefined;
  return text === "" ? `${direction}: it is empty; leave it out for the first page.` : { direction, text };
}

/** The limit, or a message that says what is wrong with it. */
function readLimit(text: string | undefined, { default: fallback, min, max }: PageLimit): number | string {
  if (text === undefined) return fallback;
  const limit = LIMIT_REGEXP.test(text) ? Number(text) : NaN;
  return limit >= min && limit <= max
    ? limit
    : `limit: found ${excerpt(text)}, expected an integer from ${min} to ${max}.`;
}

/** The same text for the same parameters in any order (rule Q4). Parameters with the same name keep their order. */
function formatSelection(parameters: readonly QueryParameter[]): string {
  return JSON.stringify(parameters.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
}
