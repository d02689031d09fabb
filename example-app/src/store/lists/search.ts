import { setImmediate } from "node:timers/promises";
import type { CursorKey } from "etiquette/pagination";
import type { Sized } from "../contract/columns.js";
import type { Engine } from "../contract/engine.js";
import { PAGE_BYTES, type ListTerm, type PageRange, type Slice, type SliceSize } from "./pages.js";
import type { Db } from "../contract/schema.js";

/*
 * A page ends when its rows have so many bytes, whatever its limit. The rows of a page are read without their long texts; if
 * these are many, so many rows are read again as the page has room for.
 *
 * A list whose rows no index finds is read in slices: so many rows of an index that serves the order, of which those
 * that pass the tests are kept. Other requests run between two slices, and a search ends after a number of rows, with
 * the place where it stopped.
 */

/** A list that can be read in slices. */
export interface Search<Row> {
  /** How many tests decide whether a row is listed; 0 when an index has the rows of the list and no others. */
  readonly tests: number;
  readonly order: readonly ListTerm[];
  find(db: Db, range: PageRange): Promise<Sized<Row>[]>;
  /** How many rows the range has, at most its `fetchLimit`. Absent where nobody asks. */
  count?(db: Db, range: PageRange): Promise<number>;
  /** The first rows of the range, whether or not they pass the tests; `undefined` when the range has fewer. */
  skip(db: Db, range: PageRange, size: SliceSize): Promise<Slice | undefined>;
}

/** A page with more bytes is read, parsed and written in a turn of the event loop each. */
const TURN_BYTES = 262_144;

/** Let other requests go on before the next step with a page. */
export async function nextTurn({ bytes }: Pick<Found<unknown>, "bytes">): Promise<void> {
  if (bytes > TURN_BYTES) await setImmediate();
}

export interface Found<Row> {
  /** The rows of a page, and one more if there is one. */
  readonly rows: Row[];
  /** Where the search stopped before the end of the list and of the page; every row up to there was tested. */
  readonly end: readonly CursorKey[] | undefined;
  /** The size of the rows. */
  readonly bytes: number;
}

/** The rows of the first slice, and what they may cost, if they take one test each. The first rows may all be long. */
const FIRST_ROWS = 64;

/** A slice has at most so many times the rows of the one before, and costs at most so many times as much. */
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

/**
 * Read the rows of a range, as many as have `maxBytes` together.
 *
 * @param least read so many rows even if they have more
 */
export async function readRange<Row>(
  { find, order }: Pick<Search<Row>, "find" | "order">,
  db: Db,
  range: PageRange,
  { maxBytes = PAGE_BYTES, least = 1 }: Readonly<{ maxBytes?: number; least?: number }> = {},
): Promise<Found<Row>> {
  const inline = Math.floor(maxBytes / Math.max(1, range.fetchLimit));
  const found = await find(db, { ...range, inline });
  let bytes = 0;
  let count = 0;
  for (const row of found) {
    const next = bytes + (row.bytes ?? 0);
    if (next > maxBytes && count >= least) break;
    bytes = next;
    count++;
  }
  if (found.every((row) => (row.bytes ?? 0) <= inline)) return { rows: found, end: undefined, bytes };
  if (count === 0) return { rows: [], end: range.before ?? range.after, bytes };
  const rows = await find(db, { ...range, fetchLimit: count });
  const last = rows.length < found.length ? rows[count - 1] : undefined; // fewer than before: the list ends with them
  return { rows, end: last && placeOf(last, order), bytes };
}

/** Read the page of a search in slices that take about `sliceMs` each. */
export async function searchPage<Row>(
  search: Search<Row>,
  page: PageRange,
  { engine, orgId, limit, signal }: SearchOptions,
): Promise<Found<Row>> {
  const rows: Row[] = [];
  const slices = beginSlices(search.tests, limit);
  let range = page;
  let maxBytes = PAGE_BYTES;

  for (;;) {
    const size = slices.next();
    const { found, slice, duration } = await engine.slice(orgId, (db) => readSlice(db, size), signal);
    rows.push(...found.rows);
    maxBytes -= found.bytes;
    const bytes = PAGE_BYTES - maxBytes;
    if (found.end !== undefined) return { rows, end: found.end, bytes };
    if (slice === undefined || rows.length >= page.fetchLimit) return { rows, end: undefined, bytes };
    if (slices.isOver(slice.count, engine.sliceMs / duration)) return { rows, end: slice.last, bytes };
    range = page.before ? { ...page, before: slice.last } : { ...page, after: slice.last };
  }

  async function readSlice(db: Db, size: SliceSize) {
    const start = performance.now();
    const slice = await search.skip(db, range, size);
    const fetchLimit = page.fetchLimit - rows.length;
    const found = await readRange(
      search,
      db,
      { ...range, fetchLimit, slice: { count: slice?.count ?? size.count, last: slice?.last } },
      { maxBytes, least: rows.length === 0 ? 1 : 0 },
    );
    return { found, slice, duration: performance.now() - start };
  }
}

/**
 * How long the slices of a search are.
 *
 * @param limit the most rows that it tests
 */
export function beginSlices(tests: number, limit: number) {
  const deadline = performance.now() + MAX_SEARCH_MS;
  let left = limit;
  let cost = Math.ceil(FIRST_ROWS / tests);
  let count = cost;
  return {
    next: (): SliceSize => ({ count: Math.min(count, left), cost }),
    /**
     * Whether the search stops after a slice.
     *
     * @param growth how many times as many rows are right for the next one
     */
    isOver(rows: number, growth: number): boolean {
      left -= rows;
      cost = Math.ceil(cost * Math.min(MAX_GROWTH, growth));
      count = Math.ceil(rows * Math.min(MAX_GROWTH, growth));
      return left === 0 || performance.now() > deadline;
    },
  };
}

/** The keys of a row in the order of a list. */
function placeOf(row: object, order: readonly ListTerm[]): CursorKey[] {
  return order.map(({ column }) => (row as Readonly<Record<string, CursorKey>>)[column] ?? null);
}
