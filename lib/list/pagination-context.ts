import type { CursorContext } from "./cursor.js";
import type { PageQuery } from "./page-query.js";

/** The facts, besides the resource, that a cursor is bound to. */
export interface PaginationContext {
  /** The owner of the rows. Needed if one app serves several orgs. */
  org?: string | null | undefined;
  /** What selects the rows, such as `tryGetFilter(req)?.text`; `null` for nothing. See `sort` for the default. */
  filter?: string | null | undefined;
  /**
   * What orders the rows; `null` for nothing.
   *
   * @default without `filter` and `sort`, all other parameters of the query stand for both
   */
  sort?: string | null | undefined;
}

/**
 * Make the context that the cursors of one request are bound to.
 *
 * @param query its `selection` stands for `filter` and `sort` when neither is given; it is read when a cursor is made or read
 * @throws {TypeError} when `given` is not such an object; with a promise, a cursor would be bound to nothing
 */
export function bindContext(
  resource: string,
  given: Readonly<PaginationContext>,
  query: Pick<PageQuery, "selection">,
): CursorContext {
  if (!isContext(given)) {
    throw new TypeError("pagination: `context` must return an object whose org, filter and sort are strings, if given");
  }
  const { org, filter, sort } = given;
  if (filter !== undefined || sort !== undefined) return { resource, org, filter, sort };
  return new SelectionContext(resource, org, query);
}

/** All parameters of the query stand for `filter` and `sort`. */
class SelectionContext implements CursorContext {
  readonly sort: undefined;

  constructor(
    readonly resource: string,
    readonly org: string | null | undefined,
    private readonly query: Pick<PageQuery, "selection">,
  ) {}

  get filter(): string {
    return this.query.selection;
  }
}

function isContext(value: unknown): boolean {
  if (typeof value !== "object" || value === null || "then" in value) return false;
  const { org, filter, sort }: Partial<Record<keyof PaginationContext, unknown>> = value;
  return isText(org) && isText(filter) && isText(sort);
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}
