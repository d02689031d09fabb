import type { Filter } from "./ast.js";
import { resolveFilter, type ResolvedFilter } from "./check.js";
import { compilePredicate } from "./evaluate.js";
import { formatFilter } from "./printer.js";
import type { FilterSchema } from "./schema.js";
import {
  compileSql,
  type FilterDialect,
  type FilterSql,
  type FilterSqlOptions,
  formatSql,
  parseSqlOptions,
} from "./sql.js";

/**
 * The expression of a request, checked against the schema. It can't be changed, because requests with the same query share it. Each
 * result of its members is computed once.
 */
export interface RequestFilter {
  /** The name of its query parameter. */
  readonly parameter: string;

  /** The parsed expression. */
  readonly filter: Filter;

  /** The schema that allows the expression. */
  readonly schema: FilterSchema;

  /** The canonical text, as `formatFilter()` returns it. A cursor can be bound to it. */
  readonly text: string;

  /**
   * The expression as a condition for `WHERE`, as `compileFilterSql()` returns it. Frozen.
   *
   * @throws {TypeError} when an attribute of it has no `column` in the schema, or an argument is wrong
   */
  toSql(dialect: FilterDialect, options?: Readonly<FilterSqlOptions>): FilterSql;

  /** The expression as a function of an object, as `compileFilter()` returns it. */
  toPredicate(): (row: object) => boolean;
}

/**
 * Check `filter` against `schema` and make the {@link RequestFilter}. Freezes `filter`.
 *
 * @throws {FilterError} when `schema` does not allow the expression
 */
export function compileRequestFilter(
  parameter: string,
  filter: Filter,
  schema: FilterSchema,
  maxTerms: number,
): RequestFilter {
  return new CheckedFilter(parameter, filter, schema, maxTerms);
}

class CheckedFilter implements RequestFilter {
  readonly #parameter: string;
  readonly #schema: FilterSchema;
  readonly #filter: Filter;
  readonly #resolved: ResolvedFilter;
  #sql: Partial<Record<FilterDialect, FilterSql>> | undefined;
  #text: string | undefined;
  #predicate: ((row: object) => boolean) | undefined;

  constructor(parameter: string, filter: Filter, schema: FilterSchema, maxTerms: number) {
    this.#resolved = resolveFilter(filter, schema, maxTerms);
    this.#parameter = parameter;
    this.#filter = filter;
    this.#schema = schema;
  }

  get parameter(): string {
    return this.#parameter;
  }

  get schema(): FilterSchema {
    return this.#schema;
  }

  get filter(): Filter {
    return freeze(this.#filter);
  }

  get text(): string {
    return (this.#text ??= formatFilter(this.#filter));
  }

  toSql(dialect: FilterDialect, options?: Readonly<FilterSqlOptions>): FilterSql {
    const firstParameter = parseSqlOptions("toSql", dialect, options);
    this.#sql ??= {};
    const condition = (this.#sql[dialect] ??= compileSql(this.#resolved, dialect, 1));
    return firstParameter === 1 ? condition : formatSql(condition, dialect, firstParameter);
  }

  toPredicate(): (row: object) => boolean {
    return (this.#predicate ??= compilePredicate(this.#resolved));
  }
}

function freeze(expression: Filter): Filter {
  if (Object.isFrozen(expression)) return expression;
  if (expression.kind === "and" || expression.kind === "or") Object.freeze(expression.operands).forEach(freeze);
  if (expression.kind === "not") freeze(expression.operand);
  return Object.freeze(expression);
}
