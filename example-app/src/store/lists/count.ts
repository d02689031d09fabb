import type { CursorKey } from "etiquette/pagination";
import type { Db } from "../contract/schema.js";
import { beginSlices, type Search, type SearchOptions } from "./search.js";

/** How many rows a list has. */
export interface Total {
  readonly count: number;
  /** Whether there may be more. */
  readonly isLeast: boolean;
}

/**
 * Count the rows of a list, at most `most`. A list whose rows no index finds is counted in slices, and ends as a search does.
 *
 * @param run a single read
 */
export async function countRows<Row>(
  search: Search<Row>,
  most: number,
  options: SearchOptions,
  run: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
): Promise<Total> {
  const count = (db: Db, range: Parameters<Search<Row>["find"]>[1]) => search.count?.(db, range) ?? Promise.resolve(0);
  const all = { after: undefined, before: undefined };
  if (search.tests === 0) return toTotal(await run((db) => count(db, { ...all, fetchLimit: most + 1 })), most);

  const slices = beginSlices(search.tests, options.limit);
  let found = 0;
  for (let after: readonly CursorKey[] | undefined; ;) {
    const size = slices.next();
    const { slice, counted, duration } = await options.engine.slice(
      options.orgId,
      async (db) => {
        const start = performance.now();
        const slice = await search.skip(db, { ...all, after, fetchLimit: most }, size);
        const range = { ...all, after, slice: { count: slice?.count ?? size.count, last: slice?.last } };
        const counted = await count(db, { ...range, fetchLimit: most + 1 - found });
        return { slice, counted, duration: performance.now() - start };
      },
      options.signal,
    );
    found += counted;
    if (slice === undefined || found > most) return toTotal(found, most);
    if (slices.isOver(slice.count, options.engine.sliceMs / duration)) return { count: found, isLeast: true };
    after = slice.last;
  }
}

function toTotal(found: number, most: number): Total {
  return { count: Math.min(found, most), isLeast: found > most };
}
