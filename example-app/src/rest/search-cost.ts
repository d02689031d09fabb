import { FilterError, tryGetFilter, type Filter, type RequestFilter } from "etiquette/filter";
import type { Request, RequestHandler } from "express";
import { apiError } from "../model/api-error.js";
import { findConjuncts, listTerms } from "../store/lists/filter-terms.js";
import type { QueryReader } from "./query.js";

/** The most terms of an expression that no index serves, because each row that is searched is tested with all of them. */
export const MAX_TESTED_TERMS = 30;

/** The same for a search of few rows. A database that must read longer statements for each slice delays other requests. */
export const MAX_NARROW_TERMS = 60;

/** What no index serves (rule F6), and what is true for most rows. */
const TESTED: ReadonlySet<string> = new Set(["co", "ew", "ne", "pr"]);

export interface SearchCostOptions {
  /** Columns with an index. */
  readonly indexes: readonly string[];
  /**
   * Whether other parameters leave few rows to search.
   *
   * @default () => false
   */
  readonly isNarrow?: (req: Request) => boolean;
  /** What those parameters are, for the error. */
  readonly narrowing?: string;
}

/**
 * Refuse expressions that cost too much for each row (rule S9), before the database is asked. Mount it behind `filter`.
 */
export function boundSearchCost({ indexes, isNarrow = () => false, narrowing }: SearchCostOptions): QueryReader {
  const counts = new WeakMap<RequestFilter, number>(); // requests with the same text share a filter

  const handler: RequestHandler = function boundSearchCostMiddleware(req, _res, next) {
    const expression = tryGetFilter(req);
    const excess = expression && count(expression) > MAX_TESTED_TERMS ? findExcess(expression, req) : undefined;
    if (!excess) {
      next();
      return;
    }
    next(apiError("E0000031", { type: "filter.cap", causes: [`${excess.parameter}: ${excess.error.message}.`] }));
  };
  return { handler, parameters: {} };

  function count(expression: RequestFilter): number {
    let known = counts.get(expression);
    if (known === undefined) {
      known = listTested(expression).reduce((sum, term) => sum + term.count, 0);
      counts.set(expression, known);
    }
    return known;
  }

  function findExcess(expression: RequestFilter, req: Request) {
    const isFewRows =
      isNarrow(req) || findConjuncts(expression.filter).some((part) => isIndexedValue(part, expression));
    const limit = isFewRows ? MAX_NARROW_TERMS : MAX_TESTED_TERMS;
    let number = 0;
    for (const { term, count: terms } of listTested(expression)) {
      number += terms;
      if (number <= limit) continue;
      const error = new FilterError("cap", {
        offset: term.offset,
        found: `term ${number} that no index serves, ${term.attribute} ${term.operator},`,
        expected: `at most ${limit} of them${isFewRows ? "" : describeMore(expression)}`,
      });
      return { parameter: expression.parameter, error };
    }
    return undefined;
  }

  function describeMore(expression: RequestFilter): string {
    const names = [...expression.schema.attributes.keys()].filter((name) => isIndexed(name, expression));
    const more = narrowing === undefined ? "" : `, or ${narrowing}`;
    return `. For ${MAX_NARROW_TERMS}, join "eq" with ${names.join(", ")} to them by "and"${more}`;
  }

  function listTested(expression: RequestFilter) {
    return listTerms(expression).filter(
      ({ term, isNegated }) => isNegated || TESTED.has(term.operator) || !isIndexed(term.attribute, expression),
    );
  }

  function isIndexedValue(part: Filter, expression: RequestFilter): boolean {
    return part.kind === "comparison" && part.operator === "eq" && isIndexed(part.attribute, expression);
  }

  function isIndexed(attribute: string, { schema }: RequestFilter): boolean {
    return indexes.includes(schema.attributes.get(attribute)?.column?.name ?? "");
  }
}
