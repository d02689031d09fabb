import { createRequestSlot } from "../options/index.js";
import {
  MAX_PARAMETERS,
  type ParsedQuery,
  parseQuery,
  type ParseQueryOptions,
  type PlusPolicy,
} from "./query-string.js";

const slot = createRequestSlot<RequestQuery>("query");

/** The query of a request. Every middleware that reads the query shares one object, so the query is parsed once. */
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

  /** What {@link parseQuery} returns. The last result is kept for the next call with the same options. */
  parse(options: Readonly<ParseQueryOptions> = {}): ParsedQuery {
    const { plus = "literal", maxParameters = MAX_PARAMETERS, maxBytesPerCharacter: maxBytes = 3 } = options;
    const isKept = this.#plus === plus && this.#maxParameters === maxParameters && this.#maxBytes === maxBytes;
    if (this.#parsed !== undefined && isKept) return this.#parsed;
    this.#plus = plus;
    this.#maxParameters = maxParameters;
    this.#maxBytes = maxBytes;
    return (this.#parsed = parseQuery(this.text, options));
  }
}

/**
 * The query of `target`, which is the `url` of `req` or its `originalUrl`. Returns the same object as long as the query
 * stays the same: a router that strips the path on which it is mounted doesn't change it, a rewritten URL does.
 */
export function queryOf(req: object, target: string): RequestQuery {
  const start = target.indexOf("?") + 1;
  if (start === 0 || start === target.length) return new RequestQuery("");

  const kept = slot.tryGet(req);
  if (kept?.text.length === target.length - start && target.endsWith(kept.text)) return kept;

  const query = new RequestQuery(target.slice(start));
  slot.set(req, query);
  return query;
}
