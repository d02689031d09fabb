import { compareCodePoints } from "../text/index.js";
import type { CursorKey } from "./cursor.js";

/**
 * Keyset pagination: rows are sorted by one or more columns, and no two rows share the value of the last one (usually the
 * id). A page has the rows beyond a place in that order. For stores without keyset pagination of their own.
 */

/** One column of a sort order. */
export interface SortTerm {
  /** The name of the column in the store. */
  readonly column: string;
  /**
   * Ascending or descending.
   *
   * @default "asc"
   */
  readonly direction?: "asc" | "desc";
  /**
   * The place of rows without a value, in both directions. Leave it out if the column always has a value.
   *
   * @default undefined
   */
  readonly nulls?: "first" | "last";
}

/** A place in a list; `getPage()` returns one. */
export interface KeysetPosition {
  readonly after?: readonly CursorKey[] | undefined;
  readonly before?: readonly CursorKey[] | undefined;
}

/** A comparison that the store makes. */
export interface KeysetComparison {
  readonly column: string;
  readonly operator: "eq" | "gt" | "ge" | "lt" | "le" | "isNull" | "isNotNull";
  /** Absent with `isNull` and `isNotNull`. */
  readonly value?: CursorKey;
}

/** The rows beyond a place: `bound` is true, and so are all comparisons of at least one of `alternatives`. */
export interface KeysetCondition {
  /**
   * Implied by the alternatives. With it, a database can start at this place of an index, not at its beginning. Absent
   * when the first column can be null.
   */
  readonly bound?: KeysetComparison;
  /** Empty when no row can lie beyond the place. */
  readonly alternatives: readonly (readonly KeysetComparison[])[];
}

/**
 * Compare the keys of two rows: negative when `a` comes first, 0 when they are equal. Numbers are compared by value, false
 * comes before true, strings are compared by code point, the order of `COLLATE "C"`.
 *
 * @throws {TypeError} when the keys don't have one value for each term, have different types, or are null without `nulls`
 * @example
 * compareKeys(["Ann", 1], ["Ann", 2], [{ column: "name" }, { column: "id", direction: "desc" }]); // 1
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

/**
 * The order in which to read the rows of a page: the order of the list, or its exact opposite for a `before` page.
 *
 * @example
 * keysetOrder({ before: [42] }, [{ column: "id" }]); // [{ column: "id", direction: "desc" }]
 */
export function keysetOrder(position: KeysetPosition, order: readonly Readonly<SortTerm>[]): readonly SortTerm[] {
  return position.before === undefined ? order : order.map(reverse);
}

/**
 * The condition for the rows beyond the place, as comparisons for the store. `undefined` for the first page, which has no
 * place.
 *
 * @throws {TypeError} when the keys don't have one value for each term, or are null without `nulls`
 * @example
 * const id = { column: "id", operator: "gt", value: 42 };
 * keysetCondition({ after: [42] }, [{ column: "id" }]); // { bound: { ...id, operator: "ge" }, alternatives: [[id]] }
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
 * Select the rows of a page from rows in memory, in any order: those beyond the place, nearest first, as a store would.
 *
 * @param limit the most rows: `fetchLimit` of the page
 * @throws {TypeError} when keys don't have one value for each term, have different types, or are null without `nulls`
 * @example
 * const users = [{ id: 3 }, { id: 1 }, { id: 2 }];
 * selectRows(users, { after: [1], limit: 1 }, ({ id }) => [id], [{ column: "id" }]); // [{ id: 2 }]
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
