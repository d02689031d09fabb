import type { Request, RequestHandler } from "express";
import { pagination, type PaginationOptions } from "etiquette/pagination";
import { getTenant } from "../tenancy/tenant.js";
import type { ApiSettings } from "./resource.js";

/** `{ default, max }` of lists, unless the specification sets other values (rule P6). */
export const DEFAULT_LIMIT = { default: 20, max: 200 };

export type ListOptions = Pick<PaginationOptions, "resource"> &
  Partial<Pick<PaginationOptions, "context" | "limit" | "polling" | "firstPageOnly" | "prev">>;

/** The {@link pagination} of a list. Its cursors are only valid for the org of the request. */
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
