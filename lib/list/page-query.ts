import type { CursorDirection } from "./cursor.js";
import { excerpt } from "../text/index.js";
import { encodeUri, formatQueryFault, type QueryParameter, type RequestQuery } from "../http/index.js";
import { assertKnownOptions, integerOption, optionError } from "../factory/index.js";

/** `limit`, `after` and `before` of a list, and the parts of the query that links to its pages keep, percent-encoded. */
export interface PageQuery {
  readonly limit: number;
  /** As sent, not verified. `undefined` for the first page. */
  readonly cursor: { readonly direction: CursorDirection; readonly text: string } | undefined;
  /** The query in the URL as sent, without `?`. */
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

/** Between two `&`, or at one end of the query. */
const EMPTY_PARAMETER_REGEXP = /^&|&&|&$/;

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

interface PageQueryRules {
  readonly limits: PageLimit;
  readonly startNames: ReadonlySet<string>;
  readonly maxBytesPerCharacter: 3 | 4;
}

/**
 * Create a reader for the queries of one list. It never throws. A query keeps its result.
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
  const read = (query: RequestQuery) => readPageQuery(query, rules);
  return (query) => query.derive(read);
}

function readPageQuery(
  query: RequestQuery,
  { limits, startNames, maxBytesPerCharacter }: PageQueryRules,
): ParsedPageQuery {
  const { parameters, fault } = query.parse({ maxBytesPerCharacter });
  if (fault) return refuse("malformed", formatQueryFault(fault));

  let after: string | undefined;
  let before: string | undefined;
  let limitText: string | undefined;
  let startName: string | undefined;
  const sentInUrl = query.inUrl === query.text ? parameters.length : countParameters(query.inUrl);
  let index = 0;
  for (const [name, value] of parameters) {
    index++;
    if (name === "after") {
      if (after !== undefined) return refuseRepeated(name);
      after = value;
    } else if (name === "before") {
      if (before !== undefined) return refuseRepeated(name);
      before = value;
    } else {
      // those in the body of a QUERY stay when a client follows a link
      if (startNames.size > 0 && startNames.has(name) && index <= sentInUrl) startName = name;
      if (name !== "limit") continue;
      if (limitText !== undefined) return refuseRepeated(name);
      limitText = value;
    }
  }
  const cursor = readCursor(after, before);
  if (typeof cursor === "string") return refuse("cursor", cursor);
  if (cursor !== undefined && startName !== undefined) {
    return refuse("combination", `${startName}, ${cursor.direction}: give one of them.`);
  }
  const limit = readLimit(limitText, limits);
  if (typeof limit === "string") return refuse("limit", limit);
  return { query: new ReadPageQuery(limit, cursor, query.inUrl, parameters, startNames) };
}

function countParameters(text: string): number {
  return text.split("&").filter(Boolean).length;
}

/** Its texts are formatted when they are read: most pages need only `self`. */
class ReadPageQuery implements PageQuery {
  readonly #text: string;
  readonly #parameters: readonly QueryParameter[];
  readonly #startNames: ReadonlySet<string>;
  #self: string | undefined;
  #selection: string | undefined;

  constructor(
    readonly limit: number,
    readonly cursor: PageQuery["cursor"],
    text: string,
    parameters: readonly QueryParameter[],
    startNames: ReadonlySet<string>,
  ) {
    this.#text = text;
    this.#parameters = parameters;
    this.#startNames = startNames;
  }

  get self(): string {
    if (this.#self === undefined) {
      const text = encodeUri(this.#text);
      this.#self = EMPTY_PARAMETER_REGEXP.test(text) ? this.#join(() => true) : text;
    }
    return this.#self;
  }

  get start(): string {
    return this.#join((name) => !isCursorName(name));
  }

  get others(): string {
    return this.#join((name) => !isCursorName(name) && !this.#startNames.has(name));
  }

  get selection(): string {
    this.#selection ??= formatSelection(
      this.#parameters.filter(([name]) => !isPagingName(name) && !this.#startNames.has(name)),
    );
    return this.#selection;
  }

  /** The parameters in the URL of these names as sent, percent-encoded where necessary. */
  #join(isKept: (name: string) => boolean): string {
    const sent = encodeUri(this.#text).split("&").filter(Boolean); // one for each parameter
    return sent.filter((_, index) => isKept(this.#parameters[index]?.[0] ?? "")).join("&");
  }
}

type CursorName = "after" | "before";
type PagingName = CursorName | "limit";

function isCursorName(name: string): name is CursorName {
  return name === "after" || name === "before";
}

function isPagingName(name: string): name is PagingName {
  return name === "limit" || isCursorName(name);
}

function refuse(reason: PageQueryFault["reason"], message: string): PageQueryRefusal {
  return { fault: { reason, message } };
}

function refuseRepeated(name: PagingName): PageQueryRefusal {
  return refuse(isCursorName(name) ? "cursor" : "limit", `${name}: given more than once.`);
}

/** The cursor, or a message that says what is wrong with it. */
function readCursor(after: string | undefined, before: string | undefined): PageQuery["cursor"] | string {
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
