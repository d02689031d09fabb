import type { Request, RequestHandler } from "express";
import createError from "http-errors";
import { fromCatalogue, type ErrorCode, type ErrorFacts } from "../lib/error-catalogue.js";
import {
  checkFilter,
  FilterError,
  type Filter,
  type FilterCaps,
  type FilterErrorKind,
  type FilterSchema,
} from "../lib/filter/index.js";
import { parseCaps, parseWithin } from "../lib/filter/parser.js";
import { assertKnownOptions, optionError, stringOption } from "../lib/options.js";
import { formatQueryFault, parseQuery, queryOf } from "../lib/query-string.js";
import { createRequestSlot } from "../lib/request-slot.js";

export * from "../lib/filter/index.js";

const CODES: Readonly<Record<FilterErrorKind, ErrorCode>> = {
  syntax: "E0000031",
  cap: "E0000031",
  unsupported: "E0000094",
  type: "E0000037",
  date: "E0000030",
};

/** `null` when the request has no expression. */
const slot = createRequestSlot<RequestFilter | null>("filter");

/** The expression of a request, which its schema allows. */
export interface RequestFilter {
  /** The query parameter that it came in. */
  readonly parameter: string;
  readonly filter: Filter;
  readonly schema: FilterSchema;
}

export interface FilterOptions extends FilterCaps {
  /** What the resource lets its clients ask, made by `compileFilterSchema()`. Required. */
  schema: FilterSchema;

  /**
   * The query parameter that holds the expression.
   *
   * @default "filter"
   */
  parameter?: string;
}

const OPTIONS: Record<keyof FilterOptions, true> = {
  schema: true,
  parameter: true,
  maxLength: true,
  maxDepth: true,
  maxTerms: true,
};

/**
 * Parse the expression in a query parameter and check it against the schema of the resource. Read it with
 * {@link getFilter}. Does not filter anything: hand the expression to `compileFilterSql()` or `compileFilter()`.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 */
export function filter(options: Readonly<FilterOptions>): RequestHandler {
  const { schema, parameter, caps } = parseOptions(options);

  return function filterMiddleware(req, _res, next) {
    const refusal = readFilter(req);
    if (refusal) next(createError(...fromCatalogue(...refusal)));
    else next();
  };

  function readFilter(req: Request): [ErrorCode, ErrorFacts] | undefined {
    const { parameters, fault } = parseQuery(queryOf(req.url));
    if (fault) return ["E0009000", { type: "query.malformed", causes: [formatQueryFault(fault)] }];

    const [text, ...others] = parameters.filter(([name]) => name === parameter).map(([, value]) => value);
    const earlier = slot.tryGet(req);
    if (text === undefined) {
      if (earlier === undefined) slot.set(req, null);
      return undefined;
    }
    if (others.length > 0) {
      return ["E0000031", { type: "filter.repeated", causes: [`${parameter}: given more than once.`] }];
    }
    if (earlier && earlier.parameter !== parameter) {
      const causes = [`${earlier.parameter}, ${parameter}: give one of them.`];
      return ["E0000033", { type: "filter.combined", causes }];
    }
    try {
      const expression = parseWithin(text, caps);
      checkFilter(expression, schema);
      slot.set(req, { parameter, filter: expression, schema });
      return undefined;
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      return [CODES[error.kind], { type: `filter.${error.kind}`, causes: [`${parameter}: ${error.message}.`] }];
    }
  }
}

/**
 * The expression that {@link filter} read from `req`; `undefined` when the request has none.
 *
 * @throws {Error} when `filter()` did not run for this request
 */
export function getFilter(req: object): RequestFilter | undefined {
  return slot.get(req) ?? undefined;
}

/** The expression that {@link filter} read from `req`; `undefined` when there is none or `filter()` did not run. */
export function tryGetFilter(req: object): RequestFilter | undefined {
  return slot.tryGet(req) ?? undefined;
}

function parseOptions(options: Readonly<FilterOptions>) {
  assertKnownOptions("filter", options, OPTIONS);
  const { schema, parameter } = options;
  if (!((schema as FilterSchema | undefined)?.attributes instanceof Map)) {
    throw optionError("filter", "schema", "a schema made by compileFilterSchema()");
  }
  return {
    schema,
    parameter: stringOption("filter", "parameter", parameter, "filter"),
    caps: parseCaps("filter", options),
  };
}
