import type { Request } from "express";
import { createGuard, type Refusal } from "../lib/errors/index.js";
import {
  assertKnownOptions,
  createRequestSlot,
  integerOption,
  maxBytesPerCharacterOption,
  type Middleware,
  optionError,
  stringsOption,
  type NothingElse,
} from "../lib/factory/index.js";
import {
  formatQueryFault,
  groupParameters,
  MAX_PARAMETERS,
  type PlusPolicy,
  queryOf,
  type QueryParameter,
  type RequestQuery,
} from "../lib/http/index.js";
import { REPORT_OPTIONS, reportOption, type ReportOptions } from "../lib/report/index.js";

export type { PlusPolicy } from "../lib/http/index.js";

/** Node's default limit for the whole head of a request, so that no query is refused that the server accepts. */
const DEFAULT_MAX_LENGTH = 16_384;
const HIGHEST_MAX_LENGTH = 65_536;

const HIGHEST_MAX_PARAMETERS = 1_000;

const PLUS_POLICIES: readonly unknown[] = ["literal", "space", "reject"] satisfies PlusPolicy[];

const NO_VALUES: readonly string[] = Object.freeze([]);

/** The values of each name; `undefined` for one that was not sent. */
export type QueryValues = Readonly<Record<string, readonly string[] | undefined>>;

const slot = createRequestSlot<LazyQuery>(
  "queryParameters",
  "the query can't be read, and `report` let it pass; use tryGetQuery()",
);

/** The decoded query of a request. */
export interface Query {
  /** All parameters, on an object without a prototype. */
  readonly parameters: QueryValues;

  /** The first value of `name`; empty without `=`, `undefined` when it was not sent. */
  get(name: string): string | undefined;

  /** The values of `name`, in the order sent; empty when it was not sent. */
  getAll(name: string): readonly string[];
}

export interface QueryParametersOptions extends ReportOptions {
  /**
   * Names of parameters that take one value. They are refused when sent more than once. Other parameters needn't be listed.
   *
   * @default []
   */
  single?: readonly string[];

  /**
   * The meaning of `+`: `"literal"`, a plus (RFC 3986); `"space"`, a space as in HTML forms; `"reject"`, an error that
   * asks for `%20`.
   *
   * @default "literal"
   */
  plus?: PlusPolicy;

  /**
   * Names of parameters with plain text, such as the words of a search. A raw `+` in them is a space, as HTML forms,
   * `URLSearchParams` and many HTTP clients write it; `%2B` is a plus.
   *
   * @default []
   */
  text?: readonly string[];

  /**
   * The most parameters of a query, 1–1,000.
   *
   * @default 100
   */
  maxParameters?: number;

  /**
   * The most characters of a query as sent, 1–65,536.
   *
   * @default 16384
   */
  maxLength?: number;

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

const OPTIONS: Record<keyof QueryParametersOptions, true> = {
  single: true,
  plus: true,
  text: true,
  maxParameters: true,
  maxLength: true,
  maxBytesPerCharacter: true,
  ...REPORT_OPTIONS,
};

/**
 * Parse the query of a request from its URL as sent, and refuse one that is not percent-encoded correctly. Read it with
 * {@link getQuery}. Does not change `req.query`, and does not refuse unknown parameters.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 * @example
 * app.use(queryParameters({ single: ["limit"] }));
 * app.get("/users", (req, res) => res.json(getQuery(req).getAll("status")));
 */
export function queryParameters(options: Readonly<QueryParametersOptions> = {}, ..._: NothingElse): Middleware {
  const { single, text: texts, maxLength, report, ...parserOptions } = parseOptions(options);
  const read = (query: RequestQuery) => {
    const { parameters, fault } = query.parse(parserOptions);
    if (fault) return { fault };
    const found = new LazyQuery(query, parameters, texts);
    const repeated = single.length === 0 ? NO_VALUES : single.filter((name) => found.grouped.getAll(name).length > 1);
    return { repeated, found };
  };

  return createGuard("queryParameters", readQuery, report);

  function readQuery(req: Request): Refusal | undefined {
    if (report !== undefined) slot.set(req, null);
    const query = queryOf(req, req.url);
    const { length } = query.inUrl;
    if (length > maxLength) {
      const causes = [`The query has ${length} characters; at most ${maxLength} are accepted.`];
      return ["E0009004", { type: "query.too-long", causes }];
    }
    const { repeated, found, fault } = query.derive(read);
    if (fault) {
      const type = fault.reason === "count" ? "query.too-many" : "query.malformed";
      return ["E0009000", { type, causes: [formatQueryFault(fault, parserOptions.maxParameters)] }];
    }
    slot.set(req, found);
    if (repeated.length > 0) {
      const causes = repeated.map((name) => `${name}: takes one value and came more than once.`);
      return ["E0000001", { type: "query.repeated", detail: repeated.join(", "), causes }];
    }
    return undefined;
  }
}

/**
 * The query that {@link queryParameters} parsed for `req`.
 *
 * @throws {Error} when `queryParameters()` did not run for this request
 * @example
 * getQuery(req).get("status"); // "ACTIVE" for ?status=ACTIVE
 */
export function getQuery(req: object): Query {
  return slot.get(req).grouped;
}

/**
 * The query that {@link queryParameters} parsed for `req`, or `undefined` when it did not run.
 *
 * @example
 * const status = tryGetQuery(req)?.get("status");
 */
export function tryGetQuery(req: object): Query | undefined {
  return slot.tryGet(req)?.grouped;
}

/** Groups the parameters when they are first asked for: most handlers ask for none. */
class LazyQuery {
  readonly #query: RequestQuery;
  readonly #parameters: readonly QueryParameter[];
  readonly #texts: readonly string[];
  #grouped: GroupedQuery | undefined;

  constructor(query: RequestQuery, parameters: readonly QueryParameter[], texts: readonly string[]) {
    this.#query = query;
    this.#parameters = parameters;
    this.#texts = texts;
  }

  get grouped(): Query {
    this.#grouped ??= new GroupedQuery(
      groupParameters(
        this.#parameters.map(([name, value], index) =>
          value.includes("+") && this.#texts.includes(name) ? [name, this.#query.formValue(index)] : [name, value],
        ),
      ),
    );
    return this.#grouped;
  }
}

/** Frozen, because requests with the same query share it. */
class GroupedQuery implements Query {
  readonly parameters: QueryValues;

  constructor(values: Record<string, string[]>) {
    for (const name in values) Object.freeze(values[name]);
    this.parameters = Object.freeze(values);
    Object.freeze(this);
  }

  get(name: string): string | undefined {
    return this.parameters[name]?.[0];
  }

  getAll(name: string): readonly string[] {
    return this.parameters[name] ?? NO_VALUES;
  }
}

function parseOptions(options: Readonly<QueryParametersOptions>) {
  assertKnownOptions("queryParameters", options, OPTIONS);
  const { plus = "literal" } = options;
  if (!PLUS_POLICIES.includes(plus)) throw optionError("queryParameters", "plus", '"literal", "space" or "reject"');
  return {
    single: [...new Set(stringsOption("queryParameters", "single", options.single, []))],
    plus,
    text: stringsOption("queryParameters", "text", options.text, []),
    maxParameters: integerOption("queryParameters", "maxParameters", options.maxParameters, {
      fallback: MAX_PARAMETERS,
      min: 1,
      max: HIGHEST_MAX_PARAMETERS,
    }),
    maxLength: integerOption("queryParameters", "maxLength", options.maxLength, {
      fallback: DEFAULT_MAX_LENGTH,
      min: 1,
      max: HIGHEST_MAX_LENGTH,
    }),
    maxBytesPerCharacter: maxBytesPerCharacterOption("queryParameters", options.maxBytesPerCharacter),
    report: reportOption("queryParameters", options),
  };
}
