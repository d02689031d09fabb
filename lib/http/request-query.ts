import { createRequestSlot } from "../factory/index.js";
import {
  MAX_PARAMETERS,
  type ParsedQuery,
  parseQuery,
  type ParseQueryOptions,
  type PlusPolicy,
} from "./query-string.js";
import { memoize } from "../text/index.js";

const slot = createRequestSlot<{ readonly target: string; readonly query: RequestQuery }>("query");

/**
 * The query of a request. All middlewares share one object, so the query is parsed once. Requests with the same query
 * share it too, because clients repeat a few queries.
 */
export class RequestQuery {
  /** As sent, without `?`; empty when there is none. */
  readonly text: string;

  #parsed: ParsedQuery | undefined;
  #plus: PlusPolicy | undefined;
  #maxParameters: number | undefined;
  #maxBytes: 3 | 4 | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The result of {@link parseQuery}, frozen. The last result is kept for the next call with the same options. */
  parse(options: Readonly<ParseQueryOptions> = {}): ParsedQuery {
    const { plus = "literal", maxParameters = MAX_PARAMETERS, maxBytesPerCharacter: maxBytes = 3 } = options;
    const isKept = this.#plus === plus && this.#maxParameters === maxParameters && this.#maxBytes === maxBytes;
    if (this.#parsed !== undefined && isKept) return this.#parsed;
    this.#plus = plus;
    this.#maxParameters = maxParameters;
    this.#maxBytes = maxBytes;
    return (this.#parsed = freeze(parseQuery(this.text, options)));
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
  if (start === 0) return NO_QUERY;
  const kept = slot.tryGet(req);
  if (kept?.target === target) return kept.query;

  const text = target.slice(start);
  const query = kept?.query.text === text ? kept.query : findQuery(text);
  slot.set(req, { target, query });
  return query;
}

const findQuery = memoize((text) => new RequestQuery(text));

const NO_QUERY = findQuery("");

function freeze(parsed: ParsedQuery): ParsedQuery {
  for (const parameter of parsed.parameters ?? []) Object.freeze(parameter);
  Object.freeze(parsed.parameters ?? parsed.fault);
  return Object.freeze(parsed);
}
