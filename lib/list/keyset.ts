import { compareCodePoints } from "../text/index.js";
import type { CursorKey } from "./cursor.js";

/**
 * Keyset order: rows sorted by one or more columns, the last of which no two rows share (usually the id), and the rows
 * that lie beyond a place in that order. For stores that have no such thing themselves.
 */

/** One column of a sort order. */
export interface SortTerm {
  /** What the store calls it. Not looked at here. */
  readonly column: string;
  /** @default "asc" */
  readonly direction?: "asc" | "desc";
  /** Where rows without a value stand, in either direction. Left out for a column that always has one. */
  readonly nulls?: "first" | "last";
}

/** A place in a list: what `getPage()` gives, and less. */
export interface KeysetPosition {
  readonly after?: readonly CursorKey[] | undefined;
  readonly before?: readonly CursorKey[] | undefined;
}

export interface KeysetComparison {
  readonly column: string;
  readonly operator: "eq" | "gt" | "ge" | "lt" | "le" | "isNull" | "isNotNull";
  /** Absent with `isNull` and `isNotNull`. */
  readonly value?: CursorKey;
}

/** Rows beyond a place: those for which `bound` holds, and every comparison of at least one of `alternatives`. */
export interface KeysetCondition {
  /**
   * Follows from the alternatives. It is for the planner of a database, which starts there in the index instead of at its
   * beginning. Absent when the first column can be null.
   */
  readonly bound?: KeysetComparison;
  /** Without any, no row lies beyond. */
  readonly alternatives: readonly (readonly KeysetComparison[])[];
}

/**
 * Compare the keys of two rows: negative when `a` comes first, 0 when they are the same. Numbers by value, false before
 * true, strings by code point, which is the order of `COLLATE "C"`.
 *
 * @throws {TypeError} when the keys have not one value for each term, are of two types, or null without `nulls`
 */
export function compareKeys(
  a: readonly CursorKey[],
  b: readonly CursorKey[],
  order: readonly Readonly<SortTerm>[],
): number {
  assertFits(a, order);
  assertFits(b, order);
  for (const [index, term] of order.entries()) {
    const difference = compareKey(a[index] as CursorKey, b[index] as CursorKey, term);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The order in which to read the rows of a page: that of the list, or for a `before` page its exact opposite. */
export function keysetOrder(position: KeysetPosition, order: readonly Readonly<SortTerm>[]): readonly SortTerm[] {
  return position.before === undefined ? order : order.map(reverse);
}

/**
 * The rows that lie beyond the place, as comparisons for the store to make; `undefined` when there is no place, that is
 * for the first page.
 *
 * @throws {TypeError} when the keys have not one value for each term, or null without `nulls`
 */
export function keysetCondition(
  position: KeysetPosition,
  order: readonly Readonly<SortTerm>[],
): KeysetCondition | undefined {
  const keys = position.before ?? position.after;
  if (keys === undefined) return undefined;
  assertFits(keys, order);

  const terms = keysetOrder(position, order);
  const equal: KeysetComparison[] = [];
  const alternatives: KeysetComparison[][] = [];
  for (const [index, term] of terms.entries()) {
    const value = keys[index] as CursorKey;
    for (const beyond of beyondKey(term, value)) alternatives.push([...equal, beyond]);
    equal.push(value === null ? { column: term.column, operator: "isNull" } : comparison(term, "eq", value));
  }

  const [first] = terms;
  const [value = null] = keys;
  if (first === undefined || value === null || first.nulls !== undefined) return { alternatives };
  return { bound: comparison(first, first.direction === "desc" ? "le" : "ge", value), alternatives };
}

/**
 * What a store should answer, over rows in memory in any order: those beyond the place, nearest first.
 *
 * @param limit how many at most: `fetchLimit` of the page
 */
export function selectRows<T>(
  rows: readonly T[],
  { after, before, limit }: KeysetPosition & Readonly<{ limit: number }>,
  keyOf: (row: T) => readonly CursorKey[],
  order: readonly Readonly<SortTerm>[],
): T[] {
  const terms = keysetOrder({ after, before }, order);
  const place = before ?? after;
  return rows
    .map((row) => ({ row, keys: keyOf(row) }))
    .filter(({ keys }) => place === undefined || compareKeys(keys, place, terms) > 0)
    .sort((a, b) => compareKeys(a.keys, b.keys, terms))
    .slice(0, limit)
    .map(({ row }) => row);
}

function compareKey(a: CursorKey, b: CursorKey, { column, direction, nulls }: Readonly<SortTerm>): number {
  if (a === b) return 0;
  if (a === null || b === null) return (a === null) === (nulls === "first") ? -1 : 1;
  if (typeof a !== typeof b) throw new TypeError(`${column} is a ${typeof a} in one row and a ${typeof b} in another`);
  const isLess = typeof a === "string" ? compareCodePoints(a, b as string) < 0 : a < b;
  return isLess === (direction !== "desc") ? -1 : 1;
}

function beyondKey(term: Readonly<SortTerm>, value: CursorKey): KeysetComparison[] {
  const { column, direction, nulls } = term;
  if (value === null) return nulls === "first" ? [{ column, operator: "isNotNull" }] : [];
  const beyond = [comparison(term, direction === "desc" ? "lt" : "gt", value)];
  if (nulls === "last") beyond.push({ column, operator: "isNull" });
  return beyond;
}

function comparison({ column }: Readonly<SortTerm>, operator: "eq" | "gt" | "ge" | "lt" | "le", value: CursorKey) {
  return { column, operator, value } satisfies KeysetComparison as KeysetComparison;
}

function reverse({ column, direction, nulls }: Readonly<SortTerm>): SortTerm {
  return {
    column,
    direction: direction === "desc" ? "asc" : "desc",
    ...(nulls !== undefined && { nulls: nulls === "last" ? "first" : "last" }),
  };
}

function assertFits(keys: readonly CursorKey[], order: readonly Readonly<SortTerm>[]): void {
  if (keys.length !== order.length) {
    throw new TypeError(`there are ${keys.length} keys for ${order.length} sort terms`);
  }
  for (const [index, { column, nulls }] of order.entries()) {
    if (keys[index] === null && nulls === undefined) throw new TypeError(`${column} is null and has no \`nulls\``);
  }
}
