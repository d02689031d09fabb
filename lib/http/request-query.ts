import { recordOf } from "../factory/index.js";
import {
  MAX_PARAMETERS,
  type ParsedQuery,
  parseQuery,
  type ParseQueryOptions,
  type PlusPolicy,
} from "./query-string.js";

const RECENT_QUERIES = 256;

/** In characters. A longer query is not kept, so that a client can't fill the memory. */
const MAX_KEPT_LENGTH = 256;

/** How many results one query keeps. More routes than that rarely get the same query. */
const MAX_RESULTS = 16;

/** A result of a function of the query. */
interface Derived {
  readonly read: unknown;
  readonly result: unknown;
  readonly earlier: Derived | undefined;
}

/**
 * The query of a request. All middlewares share one object, so the query is parsed once. Requests with the same query
 * share it too, because clients repeat a few queries. Nobody may change what it returns.
 */
export class RequestQuery {
  /** As sent, without `?`; empty when there is none. */
  readonly text: string;
  /** The part of `text` that came in the URL: all of it, or its beginning when a QUERY has more in its body. */
  readonly inUrl: string;

  #parsed: ParsedQuery | undefined;
  #plus: PlusPolicy | undefined;
  #maxParameters: number | undefined;
  #maxBytes: 3 | 4 | undefined;
  /** The last of the results that are kept. */
  #derived: Derived | undefined;

  constructor(text: string, inUrl: string = text) {
    this.text = text;
    this.inUrl = inUrl;
  }

  /** The result of {@link parseQuery}. The last result is kept for the next call with the same options. */
  parse(options: Readonly<ParseQueryOptions> = {}): ParsedQuery {
    const { plus = "literal", maxParameters = MAX_PARAMETERS, maxBytesPerCharacter: maxBytes = 3 } = options;
    const isKept = this.#plus === plus && this.#maxParameters === maxParameters && this.#maxBytes === maxBytes;
    if (this.#parsed !== undefined && isKept) return this.#parsed;
    this.#plus = plus;
    this.#maxParameters = maxParameters;
    this.#maxBytes = maxBytes;
    return (this.#parsed = parseQuery(this.text, options));
  }

  /** The result of `read`, which must depend on this query alone. It is kept with the query, which costs less than a cache of its own. */
  derive<T>(read: (query: RequestQuery) => T): T {
    const last = this.#derived;
    let count = 0;
    for (let kept = last; kept !== undefined; kept = kept.earlier, count++) {
      if (kept.read === read) return kept.result as T;
    }
    const result = read(this);
    this.#derived = { read, result, earlier: count < MAX_RESULTS ? last : undefined };
    return result;
  }

  /**
   * The value of the parameter at `index` of what {@link parse} returned, as an HTML form encodes it: `+` is a space. Only
   * for values that have a `+`: all others are the same.
   */
  formValue(index: number): string {
    const pair = this.text.split("&").filter((text) => text !== "")[index] ?? "";
    return decodeURIComponent(pair.slice(pair.indexOf("=") + 1).replaceAll("+", "%20"));
  }
}

/**
 * The query of `target`, the `url` or `originalUrl` of `req`. Returns the same object as long as the query is the same: a
 * router that strips its mount path doesn't change it, a rewritten URL may.
 */
export function queryOf(req: object, target: string): RequestQuery {
  const start = target.indexOf("?") + 1;
  const isQuery = (req as { method?: unknown }).method === "QUERY";
  if (!isQuery && (start === 0 || start === target.length)) return NO_QUERY;
  const record = recordOf(req);
  const kept = record.query as RequestQuery | undefined;
  if (isQuery && kept !== undefined && kept.inUrl !== kept.text) return kept;
  if (kept !== undefined && record.target === target) return kept;

  const text = start === 0 ? "" : target.slice(start);
  const query = kept?.text === text ? kept : findQuery(text);
  record.target = target;
  record.query = query;
  return query;
}

/** Let {@link queryOf} return the query in the URL of `req`, a QUERY, and after it `parameters`, encoded as in a URL. */
export function addToQuery(req: object, target: string, parameters: string): RequestQuery {
  const { text } = queryOf(req, target);
  const query = new RequestQuery([text, parameters].filter(Boolean).join("&"), text);
  recordOf(req).query = query;
  return query;
}

/** The queries that came last, at a place that few of their characters decide. A Map would take longer for a new query than to parse it. */
const recent = new Array<RequestQuery | undefined>(RECENT_QUERIES).fill(undefined);

function findQuery(text: string): RequestQuery {
  const { length } = text;
  if (length > MAX_KEPT_LENGTH) return new RequestQuery(text);
  const sample = text.charCodeAt(length - 1) + 7 * text.charCodeAt(length >> 1) + 31 * text.charCodeAt(length >> 2);
  const place = (length + 3 * sample) % RECENT_QUERIES;
  const kept = recent[place];
  if (kept?.text === text) return kept;
  return (recent[place] = new RequestQuery(text));
}

const NO_QUERY = new RequestQuery("");
