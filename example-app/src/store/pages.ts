import { compileFilterSql, type FilterOperator, type FilterSql, type RequestFilter } from "etiquette/filter";
import { keysetOrder, type SortTerm } from "etiquette/keyset";
import type { CursorKey, Page } from "etiquette/pagination";
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { Dialect } from "./dialects.js";
import { findConjuncts } from "./filter-terms.js";
import type { Db } from "./schema.js";

/** A column that is never null. */
export type ListTerm = Omit<SortTerm, "nulls">;

/** The members of a page that decide which rows it has. */
export interface PageRange extends Pick<Page, "after" | "before" | "fetchLimit"> {
  /** The first `count` rows of the range only. `last` is the place of the last of them; without it there are fewer. */
  readonly slice?: { readonly count: number; readonly last: readonly CursorKey[] | undefined };
}

/**
 * Sort by terms of one direction, and skip the rows before the page and after its slice. The position is one comparison of rows, `(name,
 * id) > (?, ?)`, which both engines look up in an index on these columns: a million rows with the same name cost no
 * more than one. Add further conditions after it: SQLite takes the first condition that an index supports.
 */
export function placePage(
  page: PageRange,
  order: readonly ListTerm[],
): { terms: RawBuilder<unknown>; place: RawBuilder<SqlBool> | undefined; end: RawBuilder<SqlBool> | undefined } {
  const terms = keysetOrder(page, order);
  const isDescending = terms[0]?.direction === "desc";
  const direction = isDescending ? sql`desc` : sql`asc`;
  const columns = terms.map(({ column }) => sql.ref(column));
  const compare = (operator: RawBuilder<unknown>, keys: readonly CursorKey[] | undefined) =>
    keys && sql<SqlBool>`(${sql.join(columns)}) ${operator} (${sql.join(keys)})`;
  const start = compare(isDescending ? sql`<` : sql`>`, page.before ?? page.after);
  const end = compare(isDescending ? sql`>=` : sql`<=`, page.slice?.last);
  return {
    terms: sql.join(columns.map((column) => sql`${column} ${direction}`)),
    place: start && end ? sql<SqlBool>`${start} and ${end}` : (start ?? end),
    end,
  };
}

/** The rows of a page, and one more; see {@link placePage}. */
export function selectPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  page: PageRange,
  order: readonly ListTerm[],
): SelectQueryBuilder<DB, TB, O> {
  const { terms, place } = placePage(page, order);
  const selected = query.orderBy(terms).limit(page.fetchLimit);
  return place ? selected.where(place) : selected;
}

/** The place of the row of `table` with this number in the range; see {@link placePage}. */
export async function skipRows(
  db: Db,
  table: RawBuilder<unknown>,
  conditions: readonly RawBuilder<SqlBool>[],
  { order, range, count }: Readonly<{ order: readonly ListTerm[]; range: PageRange; count: number }>,
): Promise<CursorKey[] | undefined> {
  const { terms, place } = placePage(range, order);
  const [first, ...others] = conditions;
  const columns = order.map(({ column }) => column);
  const { rows } = await sql<Record<string, CursorKey>>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${table}
    where ${sql.join([first, ...(place ? [place] : []), ...others], sql` and `)}
    order by ${terms} limit 1 offset ${count - 1}
  `.execute(db);
  const [row] = rows;
  return row && columns.map((column) => row[column] ?? null);
}

const EQUAL: ReadonlySet<string> = new Set<FilterOperator>(["eq"]);

/** Operators whose matches are adjacent in an index. */
const ADJACENT: ReadonlySet<string> = new Set<FilterOperator>(["eq", "gt", "ge", "lt", "le", "sw"]);

/** A filter that can be turned into SQL. */
export type FilterExpression = Pick<RequestFilter, "filter" | "schema" | "toSql">;

/** A condition for the rows that match `expression`. No index is used for it, because `is true` hides it. */
export function matches(expression: Readonly<FilterExpression>, dialect: Dialect): RawBuilder<SqlBool> {
  return sql<SqlBool>`${toCondition(expression.toSql(dialect.filter))} is true`;
}

/**
 * Divide an expression into conditions: those that one index serves, and the whole expression if it has anything else.
 *
 * @param indexes columns with an index that has the rows with one value in the order of the list; the first is preferred
 * @param sorted the column by which the list is sorted first
 */
export function divide(
  expression: Readonly<FilterExpression>,
  dialect: Dialect,
  indexes: readonly string[],
  sorted?: string,
): { served: RawBuilder<SqlBool>[]; tested: RawBuilder<SqlBool>[] } {
  const { filter, schema } = expression;
  const parts = findConjuncts(filter);
  const comparisons = parts.filter((part) => part.kind === "comparison");
  const termsOn = (column: string, operators: ReadonlySet<string>) =>
    comparisons.filter(
      ({ attribute, operator }) => operators.has(operator) && schema.attributes.get(attribute)?.column?.name === column,
    );
  const ranges = sorted === undefined ? [] : termsOn(sorted, ADJACENT);
  const terms = ranges.length > 0 ? ranges : indexes.flatMap((column) => termsOn(column, EQUAL)).slice(0, 1);
  return {
    served: terms.map((term) => toCondition(compileFilterSql(term, schema, dialect.filter))),
    tested: terms.length === parts.length ? [] : [matches(expression, dialect)],
  };
}

function toCondition({ strings, parameters }: FilterSql): RawBuilder<SqlBool> {
  return sql<SqlBool>(strings, ...parameters);
}
