import type { CursorContext } from "./cursor.js";

/** What a cursor is bound to beside the resource. */
export interface PaginationContext {
  /** Whose rows they are; needed where one app serves several orgs. */
  org?: string | null | undefined;
  /** What selects the rows, such as `tryGetFilter(req)?.text`; `null` for nothing. Default: see `sort`. */
  filter?: string | null | undefined;
  /**
   * What orders them; `null` for nothing. When neither `filter` nor `sort` is given, all other parameters of the query
   * stand for both.
   */
  sort?: string | null | undefined;
}

/**
 * What the cursors of one request are bound to.
 *
 * @param selection stands for `filter` and `sort` where neither is given
 * @throws {TypeError} when `given` is no such object; a promise would bind a cursor to nothing
 */
export function bindContext(resource: string, given: Readonly<PaginationContext>, selection: string): CursorContext {
  if (!isContext(given)) {
    throw new TypeError("pagination: `context` must return an object whose org, filter and sort are strings, if given");
  }
  const { org, filter, sort } = given;
  return { resource, org, filter: filter === undefined && sort === undefined ? selection : filter, sort };
}

function isContext(value: unknown): boolean {
  if (typeof value !== "object" || value === null || "then" in value) return false;
  const { org, filter, sort }: Partial<Record<keyof PaginationContext, unknown>> = value;
  return [org, filter, sort].every((text) => text === undefined || text === null || typeof text === "string");
}
