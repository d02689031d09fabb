import { createGuard, type ErrorCode, type Refusal } from "../lib/errors/index.js";
import {
  chooseEncoding,
  compileRequestFilter,
  type FilterCaps,
  FilterError,
  type FilterErrorKind,
  type FilterSchema,
  parseCaps,
  parseWithin,
  type RequestFilter,
} from "../lib/filter/index.js";
import {
  assertKnownOptions,
  createRequestSlot,
  type Middleware,
  optionError,
  stringOption,
  type NothingElse,
} from "../lib/factory/index.js";
import { formatQueryFault, queryOf, type RequestQuery } from "../lib/http/index.js";

export {
  checkFilter,
  type ComparisonOperator,
  type CompiledAttribute,
  compileFilter,
  compileFilterSchema,
  compileFilterSql,
  type Filter,
  type FilterAttribute,
  type FilterAttributeType,
  type FilterCaps,
  type FilterColumn,
  type FilterComparison,
  type FilterDialect,
  FilterError,
  type FilterErrorFacts,
  type FilterErrorKind,
  type FilterJunction,
  type FilterNegation,
  type FilterOperand,
  type FilterOperator,
  type FilterPresence,
  type FilterSchema,
  type FilterSchemaOptions,
  type FilterSql,
  type FilterSqlOptions,
  type FilterTerm,
  formatFilter,
  parseFilter,
  type RequestFilter,
  type SqlParameter,
} from "../lib/filter/index.js";

const CODES: Readonly<Record<FilterErrorKind, ErrorCode>> = {
  syntax: "E0000031",
  cap: "E0000031",
  unsupported: "E0000094",
  type: "E0000037",
  date: "E0000030",
};

const slot = createRequestSlot<RequestFilter>("filter", "the request has no expression; use tryGetFilter()");

export interface FilterOptions extends FilterCaps {
  /** The filters that clients may use, made by `compileFilterSchema()`. Required. */
  schema: FilterSchema;

  /**
   * The name of the query parameter with the expression.
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
  maxBytesPerCharacter: true,
};

/**
 * Parse the expression in a query parameter and check it against the schema of the resource. Read it with
 * {@link getFilter}. A raw `+` outside the literals means that the expression was form-encoded: each `+` is a space then. Does not filter anything: use its `toSql()` or `toPredicate()`.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * const schema = compileFilterSchema({ attributes: { status: { type: "string" } } });
 * app.get("/users", filter({ schema }), (req, res) => res.json(users.filter(getFilter(req).toPredicate())));
 */
export function filter(options: Readonly<FilterOptions>, ..._: NothingElse): Middleware {
  const { schema, parameter, caps } = parseOptions(options);
  const queryOptions = { maxBytesPerCharacter: caps.maxBytesPerCharacter };

  return createGuard("filter", (req) => {
    const read = queryOf(req, req.url).derive(readExpression);
    const earlier = slot.tryGet(req);
    if (read === undefined) {
      if (!slot.has(req)) slot.set(req, null);
      return undefined;
    }
    if (isRefusal(read)) return read;
    if (earlier && earlier.parameter !== parameter) {
      const causes = [`${earlier.parameter}, ${parameter}: give one of them.`];
      return ["E0000033", { type: "filter.combined", causes }];
    }
    if (read instanceof FilterError) {
      return [CODES[read.kind], { type: `filter.${read.kind}`, causes: [`${parameter}: ${read.message}.`] }];
    }
    slot.set(req, read);
    return undefined;
  });

  /** The expression of `query`, or why it is refused; `undefined` when there is none. */
  function readExpression(query: RequestQuery): RequestFilter | FilterError | Refusal | undefined {
    const { parameters, fault } = query.parse(queryOptions);
    if (fault) return ["E0009000", { type: "query.malformed", causes: [formatQueryFault(fault)] }];

    let text: string | undefined;
    for (const sent of parameters) {
      const [name, value] = sent;
      if (name !== parameter) continue;
      if (text !== undefined) {
        return ["E0000031", { type: "filter.repeated", causes: [`${parameter}: given more than once.`] }];
      }
      text = value.includes("+") ? chooseEncoding(value, query.formValue(parameters.indexOf(sent))) : value;
    }
    return text === undefined ? undefined : parseExpression(text);
  }

  function parseExpression(text: string): RequestFilter | FilterError {
    try {
      return compileRequestFilter(parameter, parseWithin(text, caps), schema, caps.maxTerms);
    } catch (error) {
      if (error instanceof FilterError) return error;
      throw error;
    }
  }
}

/**
 * The expression that {@link filter} parsed for `req`.
 *
 * @throws {Error} when `filter()` did not run for this request, or the request has no expression
 * @example
 * const { sql, parameters } = getFilter(req).toSql("postgresql");
 */
export function getFilter(req: object): RequestFilter {
  return slot.get(req);
}

/**
 * The expression that {@link filter} parsed for `req`; `undefined` when there is none or `filter()` did not run.
 *
 * @example
 * const matches = tryGetFilter(req)?.toPredicate() ?? (() => true);
 */
export function tryGetFilter(req: object): RequestFilter | undefined {
  return slot.tryGet(req);
}

function isRefusal(read: RequestFilter | FilterError | Refusal): read is Refusal {
  return Array.isArray(read);
}

function parseOptions(options: Readonly<FilterOptions>) {
  assertKnownOptions("filter", options, OPTIONS, "app.use(filter({ … }))");
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
