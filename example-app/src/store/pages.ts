import type { RequestFilter } from "etiquette/filter";
import { keysetOrder, type SortTerm } from "etiquette/keyset";
import type { Page } from "etiquette/pagination";
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { Dialect } from "./dialects.js";

/** A column that is never null. */
export type ListTerm = Omit<SortTerm, "nulls">;

/** The members of a page that decide which rows it has. */
export type PageRange = Pick<Page, "after" | "before" | "fetchLimit">;

/**
 * Sort by terms of one direction, and skip the rows before the page. The position is one comparison of rows, `(name,
 * id) > (?, ?)`, which both engines look up in an index on these columns: a million rows with the same name cost no
 * more than one. Add further conditions after it: SQLite takes the first condition that an index supports.
 */
export function placePage(
  page: PageRange,
  order: readonly ListTerm[],
): { terms: RawBuilder<unknown>; place: RawBuilder<SqlBool> | undefined } {
  const terms = keysetOrder(page, order);
  const direction = terms[0]?.direction === "desc" ? sql`desc` : sql`asc`;
  const columns = terms.map(({ column }) => sql.ref(column));
  const operator = terms[0]?.direction === "desc" ? sql`<` : sql`>`;
  const keys = page.before ?? page.after;
  return {
    terms: sql.join(columns.map((column) => sql`${column} ${direction}`)),
    place: keys && sql<SqlBool>`(${sql.join(columns)}) ${operator} (${sql.join(keys)})`,
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

/** A filter that can be turned into SQL. */
export type FilterExpression = Pick<RequestFilter, "toSql">;

/** A condition for the rows that match `expression`. */
export function matches(expression: Readonly<FilterExpression>, dialect: Dialect): RawBuilder<SqlBool> {
  const { strings, parameters } = expression.toSql(dialect.filter);
  return sql<SqlBool>(strings, ...parameters);
}
