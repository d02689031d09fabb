import type { RequestFilter } from "etiquette/filter";
import { keysetOrder, type SortTerm } from "etiquette/keyset";
import type { Page } from "etiquette/pagination";
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { Dialect } from "./dialects.js";

/** A column that is never null. */
export type ListTerm = Omit<SortTerm, "nulls">;

/** What of a page decides which rows it has. */
export type PageRange = Pick<Page, "after" | "before" | "fetchLimit">;

/**
 * The rows of a page and one more: `query` sorted by `order`, whose terms have one direction, from the place of the page
 * on. The place is one comparison of rows, `(name, id) > (?, ?)`, which both engines look up in an index of these columns:
 * a million rows with one name cost no more than one. Put further conditions behind it: SQLite takes the first that an
 * index serves.
 */
export function selectPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  page: PageRange,
  order: readonly ListTerm[],
): SelectQueryBuilder<DB, TB, O> {
  const terms = keysetOrder(page, order);
  const place = page.before ?? page.after;
  let selected = query.limit(page.fetchLimit);
  for (const { column, direction = "asc" } of terms) selected = selected.orderBy(sql.ref(column), direction);
  if (!place) return selected;
  const columns = sql.join(terms.map(({ column }) => sql.ref(column)));
  const operator = terms[0]?.direction === "desc" ? sql`<` : sql`>`;
  return selected.where(sql<SqlBool>`(${columns}) ${operator} (${sql.join(place)})`);
}

/** What a filter asks for. */
export type FilterExpression = Pick<RequestFilter, "toSql">;

/** The condition that rows meet which match `expression`. */
export function matches(expression: Readonly<FilterExpression>, dialect: Dialect): RawBuilder<SqlBool> {
  const { strings, parameters } = expression.toSql(dialect.filter);
  return sql<SqlBool>(strings, ...parameters);
}
