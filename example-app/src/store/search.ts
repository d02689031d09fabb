import type { CursorKey } from "etiquette/pagination";
import type { Engine } from "./dialects.js";
import type { PageRange } from "./pages.js";
import type { Db } from "./schema.js";

/*
 * A list whose rows no index finds is read in slices: so many rows of an index that serves the order, of which those
 * that pass the tests are kept. Other requests run between two slices, and a search ends after a number of rows, with
 * the place where it stopped.
 */

/** A list that can be read in slices. */
export interface Search<Row> {
  /** How many tests decide whether a row is listed; 0 when an index has the rows of the list and no others. */
  readonly tests: number;
  find(db: Db, range: PageRange): Promise<Row[]>;
  /** The place of the row with this number in the range, whether or not it passes the tests. */
  skip(db: Db, range: PageRange, count: number): Promise<readonly CursorKey[] | undefined>;
}

export interface Found<Row> {
  /** The rows of a page, and one more if there is one. */
  readonly rows: Row[];
  /** Where the search stopped before the end of the list and of the page; every row up to there was tested. */
  readonly end: readonly CursorKey[] | undefined;
}

/** The rows of the first slice, if they take one test each. */
const FIRST_ROWS = 1_024;

/** A slice has at most so many times the rows of the one before. */
const MAX_GROWTH = 4;

/** A search stops after the slice in which it has taken so long. */
const MAX_SEARCH_MS = 3_000;

export interface SearchOptions {
  readonly engine: Pick<Engine, "slice" | "sliceMs">;
  readonly orgId: string;
  /** The most rows that a search tests. */
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

/** Read the page of a search in slices that take about `sliceMs` each. */
export async function searchPage<Row>(
  search: Search<Row>,
  page: PageRange,
  { engine, orgId, limit, signal }: SearchOptions,
): Promise<Found<Row>> {
  const rows: Row[] = [];
  const deadline = performance.now() + MAX_SEARCH_MS;
  let range = page;
  let count = Math.ceil(FIRST_ROWS / search.tests);

  for (let left = limit; ;) {
    count = Math.min(count, left);
    const { found, last, duration } = await engine.slice(orgId, readSlice, signal);
    rows.push(...found);
    if (last === undefined || rows.length >= page.fetchLimit) return { rows, end: undefined };
    left -= count;
    if (left === 0 || performance.now() > deadline) return { rows, end: last };
    range = page.before ? { ...page, before: last } : { ...page, after: last };
    count = Math.ceil(count * Math.min(MAX_GROWTH, engine.sliceMs / duration));
  }

  async function readSlice(db: Db) {
    const start = performance.now();
    const last = await search.skip(db, range, count);
    const fetchLimit = page.fetchLimit - rows.length;
    const found = await search.find(db, { ...range, fetchLimit, slice: { count, last } });
    return { found, last, duration: performance.now() - start };
  }
}
