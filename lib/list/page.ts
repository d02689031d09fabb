import type { CursorDirection, CursorKey } from "./cursor.js";

/** Returns the key values of a row, in sort order. No other row has the last value. */
export type KeysOf<T> = (row: T) => readonly CursorKey[];

/** The requested page. */
export interface PageRequest {
  readonly limit: number;
  readonly direction: CursorDirection;
  /** Keys of the row that the cursor points at; `undefined` for the first page. */
  readonly position: readonly CursorKey[] | undefined;
  /** Whether more rows may come at the end of the list at any time. */
  readonly polling: boolean;
  /**
   * Where reading stopped before it found more rows than the limit, nearest first at or beyond the last row: at the end of
   * a list that is polled, or earlier, when enough rows were read that are not on the page.
   */
  readonly end?: readonly CursorKey[] | undefined;
}

/** The places where the neighbouring pages begin. */
export interface PagePlaces {
  /** The next page comes after this row. `null`: the next page is the first page. `undefined`: there is no next page. */
  readonly next: readonly CursorKey[] | null | undefined;
  /** The previous page comes before this row. `undefined`: there is none, or this page has no row to derive it from. */
  readonly previous: readonly CursorKey[] | undefined;
}

export interface PageCut<T> extends PagePlaces {
  /** In the order of the list. */
  readonly rows: T[];
}

/**
 * Make a page from the rows that the store found.
 *
 * @param found the nearest row first, so for `before` in the opposite order of the list; one row more than the limit when
 *   there are more
 * @throws {TypeError} when `found` is not an array, or the last row of the page and the first row after it have the same
 *   keys: the next page would skip the latter
 */
export function cutPage<T>(found: readonly T[], request: PageRequest, keysOf: KeysOf<T>): PageCut<T> {
  if (!Array.isArray(found)) throw new TypeError("the rows of a page must be an array; was a promise not awaited?");
  const { limit, direction, position } = request;
  const rows = found.slice(0, limit) as T[];
  const hasMore = found.length > limit && limit > 0; // a page without rows has no next page
  if (hasMore) assertDistinct(found[limit - 1] as T, found[limit] as T, keysOf);
  if (direction === "before") rows.reverse();

  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return { rows, ...placesOfEmpty(request) };
  return direction === "before"
    ? { rows, next: keysOf(last), previous: hasMore ? keysOf(first) : request.end }
    : {
        rows,
        next: hasMore ? keysOf(last) : (request.end ?? (request.polling ? keysOf(last) : undefined)),
        previous: position === undefined ? undefined : keysOf(first),
      };
}

function placesOfEmpty({ limit, direction, position, polling, end }: PageRequest): PagePlaces {
  const stop = limit > 0 ? end : undefined; // with a limit of 0, nobody knows whether there are rows
  if (direction === "before") {
    // if nothing precedes the cursor, the next page is the start of the list
    return { next: stop ?? (limit > 0 || polling ? null : undefined), previous: stop };
  }
  return {
    next: stop ?? (polling ? (position ?? null) : undefined),
    previous: polling || position === undefined ? undefined : stop,
  };
}

function assertDistinct<T>(last: T, beyond: T, keysOf: KeysOf<T>): void {
  const keys = keysOf(beyond);
  if (keysOf(last).every((key, index) => key === keys[index])) {
    throw new TypeError("two rows have the same keys; the last key must be unique, such as the id");
  }
}
