import type { Request, RequestHandler } from "express";
import { keysetOrder, type SortTerm } from "etiquette/keyset";
import { pagination, type Page, type PaginationOptions } from "etiquette/pagination";
import { sql, type SelectQueryBuilder, type SqlBool } from "kysely";
import { getTenant } from "../tenancy/tenant.js";
import type { ApiSettings } from "./resource.js";

/** `{ default, max }` of lists for which the specification says nothing else (rule P6). */
export const DEFAULT_LIMIT = { default: 20, max: 200 };

export type ListOptions = Pick<PaginationOptions, "resource"> &
  Partial<Pick<PaginationOptions, "context" | "limit" | "polling" | "firstPageOnly" | "prev">>;

/** The {@link pagination} of a list, with cursors that are good for the org of the request alone. */
export function listPages(
  { secrets }: Pick<ApiSettings, "secrets">,
  { limit = DEFAULT_LIMIT, prev = true, context, ...options }: Readonly<ListOptions>,
): RequestHandler {
  return pagination({
    ...options,
    limit,
    prev,
    secret: secrets,
    baseUrl: (req: Request) => getTenant(req).baseUrl,
    context: (req: Request) => ({ ...context?.(req), org: getTenant(req).org.id }),
  });
}

/** A column that is never null. */
export type ListTerm = Omit<SortTerm, "nulls">;

/**
 * The rows of a page and one more: `query` sorted by `order`, whose terms have one direction, from the place of the page
 * on. The place is one comparison of rows, `(name, id) > (?, ?)`, which both engines look up in an index of these columns:
 * a million rows with one name cost no more than one. Put further conditions behind it: SQLite takes the first that an
 * index serves.
 */
export function selectPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  page: Pick<Page, "after" | "before" | "fetchLimit">,
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
