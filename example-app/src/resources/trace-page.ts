import type { Page } from "etiquette/pagination";
import type { Explanation } from "../discovery/explain.js";
import type { Steps } from "../pace/steps.js";
import type { Rule } from "../model/records.js";
import { toRule } from "../store/contract/rows.js";
import type { RuleRow } from "../store/contract/schema.js";

/** The most bytes of the rules on a page, unless one alone has more. */
const MAX_PAGE_BYTES = 2 << 20;

/** Characters that are parsed, or written, in a microsecond. */
const CHARACTERS_PER_COST = 100;

/** By what pages are sorted. */
type PlacedRow = Pick<RuleRow, "id" | "position" | "system">;

/** A rule and its place. */
export interface TriedRule {
  readonly row: PlacedRow;
  readonly rule: Rule;
}

/** The rules that were read for a page, and whether there are fewer because they are large. */
export interface Found {
  readonly rows: readonly PlacedRow[];
  readonly isCut: boolean;
}

export function* parseInSteps(rows: readonly RuleRow[]): Steps<TriedRule[]> {
  const tried: TriedRule[] = [];
  for (const row of rows) {
    tried.push({ row, rule: toRule(row) });
    yield 1 + (row.conditions.length + row.actions.length) / CHARACTERS_PER_COST;
  }
  return tried;
}

/** What it costs to parse a rule that is taken, see {@link Steps}: most of it are its patterns. */
export function costOfRule({ conditions }: Rule): number {
  return 3 + (conditions.userIdentifier?.patterns.length ?? 0);
}

/** The attributes that the conditions of rules name, each once. */
export function findAttributes(tried: readonly TriedRule[]): string[] {
  return [...new Set(tried.flatMap(({ rule }) => rule.conditions.userIdentifier?.attribute ?? []))];
}

/** Explain rules, until there are enough bytes for a page. */
export function* explainInSteps<T extends object>(
  tried: readonly TriedRule[],
  explain: (rule: Rule) => Steps<Explanation>,
  present: (rule: Rule, explanation: Explanation) => T,
): Steps<Map<PlacedRow, T>> {
  const page = new Map<PlacedRow, T>();
  let bytes = 0;
  for (const { row, rule } of tried) {
    const presented = present(rule, yield* explain(rule));
    const text = JSON.stringify(presented);
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_PAGE_BYTES && page.size > 0) break;
    page.set(row, presented);
    yield 1 + text.length / CHARACTERS_PER_COST;
  }
  return page;
}

/**
 * The explained rules of a page, in their order. It ends before the limit when the rules are large.
 *
 * @param found all rows that were read for the page
 * @param explained the first of them
 */
export function takePage<T>(page: Page, found: Found, explained: ReadonlyMap<PlacedRow, T>): (T | undefined)[] {
  const isCut = explained.size < page.limit && (found.isCut || explained.size < found.rows.length);
  const rows = isCut ? [...explained.keys()] : found.rows;
  const last = rows.at(-1);
  return page.take(rows, placeOf, isCut && last ? placeOf(last) : undefined).map((row) => explained.get(row));
}

function placeOf({ system, position, id }: PlacedRow) {
  return [system, position, id]; // RULE_ORDER
}
