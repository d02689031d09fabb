import type { CursorDirection, CursorKey } from "./cursor.js";

/** Key values of a row, in the order in which the list is sorted by them; the last one is of no other row. */
export type KeysOf<T> = (row: T) => readonly CursorKey[];

/** The page that was asked for. */
export interface PageRequest {
  readonly limit: number;
  readonly direction: CursorDirection;
  /** Keys of the row that the cursor points at; `undefined` for the first page. */
  readonly position: readonly CursorKey[] | undefined;
  /** Whether more rows may come at the end of the list at any time. */
  readonly polling: boolean;
  /** Where the list ended when it was read: at its last row, or further on. */
  readonly end?: readonly CursorKey[] | undefined;
}

/** The places where the neighbours of a page begin. */
export interface PagePlaces {
  /** The next page lies after this row; `null`: it is the first page; `undefined`: there is none. */
  readonly next: readonly CursorKey[] | null | undefined;
  /** The previous page lies before this row; `undefined`: there is none, or no row is left to tell it by. */
  readonly previous: readonly CursorKey[] | undefined;
}

export interface PageCut<T> extends PagePlaces {
  /** In the order of the list. */
  readonly rows: T[];
}

/**
 * Cut a page out of the rows that the store found.
 *
 * @param found the nearest first: for `before` in the opposite order of the list. One more than the limit when there are
 *   more
 * @throws {TypeError} when `found` is no array, or the last row of the page and the first beyond have the same keys, so
 *   that the latter would be lost
 */
export function cutPage<T>(found: readonly T[], request: PageRequest, keysOf: KeysOf<T>): PageCut<T> {
  if (!Array.isArray(found)) throw new TypeError("the rows of a page must be an array; was a promise not awaited?");
  const { limit, direction, position } = request;
  const rows = found.slice(0, limit) as T[];
  const hasMore = found.length > limit && limit > 0; // a page without rows leads nowhere
  if (hasMore) assertDistinct(found[limit - 1] as T, found[limit] as T, keysOf);
  if (direction === "before") rows.reverse();

  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) {
    return { rows, next: nextOfEmpty(request), previous: undefined };
  }
  return direction === "before"
    ? { rows, next: keysOf(last), previous: hasMore ? keysOf(first) : undefined }
    : {
        rows,
        next: hasMore ? keysOf(last) : nextOfLast(keysOf(last), request),
        previous: position === undefined ? undefined : keysOf(first),
      };
}

function nextOfEmpty({ limit, direction, position, polling, end }: PageRequest): PagePlaces["next"] {
  // nothing precedes the cursor: what it pointed at, and all that follows, is the list from its start
  if (direction === "before") return limit > 0 || polling ? null : undefined;
  if (!polling) return undefined;
  return (limit > 0 ? end : undefined) ?? position ?? null; // who asked for no row does not know that there is none
}

function nextOfLast(keys: readonly CursorKey[], { polling, end }: PageRequest): PagePlaces["next"] {
  return polling ? (end ?? keys) : undefined;
}

function assertDistinct<T>(last: T, beyond: T, keysOf: KeysOf<T>): void {
  const keys = keysOf(beyond);
  if (keysOf(last).every((key, index) => key === keys[index])) {
    throw new TypeError("two rows have the same keys; let the last key be one that no two rows share, such as the id");
  }
}
