import { compileFilterSql, type FilterOperator, type FilterSql, type RequestFilter } from "etiquette/filter";
import { keysetOrder, type SortTerm } from "etiquette/keyset";
import type { CursorKey, Page } from "etiquette/pagination";
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from "kysely";
import { bytesOf } from "../contract/columns.js";
import type { Dialect } from "../contract/dialect.js";
import { findConjuncts } from "./filter-terms.js";
import type { Db } from "../contract/schema.js";

/** What the rows of a page may have together, in bytes as they are stored. A page has one row at least. */
export const PAGE_BYTES = 2_097_152;

/** What a slice of a list may cost: one for each row, and one for each so many bytes of it. */
const COST_BYTES = 1_024;

/** How long a slice is: so many rows, and fewer if they cost so much together. */
export interface SliceSize {
  readonly count: number;
  readonly cost: number;
}

/** The rows up to a place. */
export interface Slice {
  /** The place of the last of them. */
  readonly last: readonly CursorKey[];
  readonly count: number;
}

/** A column that is never null. */
export type ListTerm = Omit<SortTerm, "nulls">;

/** The members of a page that decide which rows it has. */
export interface PageRange extends Pick<Page, "after" | "before" | "fetchLimit"> {
  /** The first `count` rows of the range only. `last` is the place of the last of them; without it there are fewer. */
  readonly slice?: { readonly count: number; readonly last: readonly CursorKey[] | undefined };
  /** Leave out the long texts of rows with more bytes, see `selectColumns`. */
  readonly inline?: number;
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

/** The order by the columns of `table` themselves, see `sizedColumns`. */
export function orderIn(table: string, order: readonly ListTerm[]): ListTerm[] {
  return order.map((term) => ({ ...term, column: `${table}.${term.column}` }));
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

/** The rows of a slice of `table`; see {@link placePage} and {@link sliceRows}. */
export async function skipRows(
  db: Db,
  table: string,
  conditions: readonly RawBuilder<SqlBool>[],
  { order, range, size }: Readonly<{ order: readonly ListTerm[]; range: PageRange; size: SliceSize }>,
): Promise<Slice | undefined> {
  const { terms, place } = placePage(range, order);
  const [first, ...others] = conditions;
  const columns = sql.join(order.map(({ column }) => sql.ref(column)));
  const rows = sql`
    select ${columns}, ${bytesOf(table)} as bytes from ${sql.table(table)}
    where ${sql.join([first, ...(place ? [place] : []), ...others], sql` and `)}
    order by ${terms} limit ${size.count}
  `;
  return sliceRows(db, rows, { order, range, size });
}

/** The first of `rows`, which have `bytes` and are `count` if there are so many, that cost `cost` together; all if they cost less. */
export async function sliceRows(
  db: Db,
  rows: RawBuilder<unknown>,
  { order, range, size: { count, cost } }: Readonly<{ order: readonly ListTerm[]; range: PageRange; size: SliceSize }>,
): Promise<Slice | undefined> {
  const { terms } = placePage(range, order);
  const columns = order.map(({ column }) => column);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const { rows: found } = await sql<Record<string, CursorKey> & { count: number }>`
    select ${names}, count from (
      select ${names}, row_number() over in_order as count, sum(1 + bytes / ${sql.lit(COST_BYTES)}) over in_order as cost
      from (${rows}) as part window in_order as (order by ${terms} rows unbounded preceding)
    ) as priced where cost >= ${cost} or count = ${count} order by count limit 1
  `.execute(db);
  const [row] = found;
  return row && { last: columns.map((column) => row[column] ?? null), count: row.count };
}

const EQUAL: ReadonlySet<string> = new Set<FilterOperator>(["eq"]);

/** Operators whose matches are adjacent in an index. */
const ADJACENT: ReadonlySet<string> = new Set<FilterOperator>(["eq", "gt", "ge", "lt", "le", "sw"]);

/** A filter that can be turned into SQL. */
export type FilterExpression = Pick<RequestFilter, "filter" | "schema" | "toSql">;

/** A condition for the rows that match `expression`. No index is used for it, because `is true` hides it. */
function matches(expression: Readonly<FilterExpression>, dialect: Dialect): RawBuilder<SqlBool> {
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
