import type { Request } from "express";
import { pagination, type PaginationOptions } from "etiquette/pagination";
import { z } from "zod";
import { getTenant } from "../tenancy/tenant.js";
import type { QueryReader } from "./query.js";
import type { ApiSettings } from "../model/api-settings.js";

/** `{ default, max }` of lists, unless the specification sets other values (rule P6). */
const DEFAULT_LIMIT = { default: 20, max: 200 };

export type ListOptions = Pick<PaginationOptions, "resource"> &
  Partial<Pick<PaginationOptions, "context" | "limit" | "polling" | "firstPageOnly" | "prev">>;

/** The {@link pagination} of a list. Its cursors are only valid for the org of the request. */
export function listPages(
  { secrets }: Pick<ApiSettings, "secrets">,
  { limit = DEFAULT_LIMIT, prev = true, context, ...options }: Readonly<ListOptions>,
): QueryReader {
  return {
    handler: pagination({
      ...options,
      limit,
      prev,
      secret: secrets,
      baseUrl: (req: Request) => getTenant(req).baseUrl,
      context: (req: Request) => ({ ...context?.(req), org: getTenant(req).org.id }),
    }),
    parameters: describePages(limit, prev),
  };
}

function describePages({ default: usual, max, min }: NonNullable<ListOptions["limit"]>, prev: boolean) {
  const shape = z.int().meta({ minimum: min ?? 1, maximum: max, default: usual });
  const cursor = (text: string) => ({ shape: z.string(), description: `${text}. Take it from the \`Link\` field.` });
  return {
    limit: { shape, description: "The most elements of a page." },
    after: cursor("The page after this cursor"),
    ...(prev && { before: cursor("The page before this cursor") }),
  };
}
