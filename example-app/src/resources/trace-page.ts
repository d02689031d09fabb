import type { Page } from "etiquette/pagination";
import type { Explanation } from "../discovery/explain.js";
import type { Steps } from "../pace/steps.js";
import type { Rule } from "../model/records.js";
import { toRule } from "../store/contract/rows.js";
import { RULE_ORDER } from "../store/records/rules.js";
import type { RuleRow } from "../store/contract/schema.js";

/** The most bytes of the rules on a page, unless one alone has more. */
const MAX_PAGE_BYTES = 2 << 20;

/** Characters that are parsed, or written, in a microsecond. */
const CHARACTERS_PER_COST = 100;

/** A rule, and its row, by which pages are sorted. */
export interface TriedRule {
  readonly row: RuleRow;
  readonly rule: Rule;
}

export function* parseInSteps(rows: readonly RuleRow[]): Steps<TriedRule[]> {
  const tried: TriedRule[] = [];
  for (const row of rows) {
    tried.push({ row, rule: toRule(row) });
    yield 1 + (row.conditions.length + row.actions.length) / CHARACTERS_PER_COST;
  }
  return tried;
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
): Steps<Map<RuleRow, T>> {
  const page = new Map<RuleRow, T>();
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
export function takePage<T>(
  page: Page,
  found: Readonly<{ rows: readonly RuleRow[]; isCut: boolean }>,
  explained: ReadonlyMap<RuleRow, T>,
): (T | undefined)[] {
  const isCut = explained.size < page.limit && (found.isCut || explained.size < found.rows.length);
  const rows = isCut ? [...explained.keys()] : found.rows;
  const last = rows.at(-1);
  return page.take(rows, placeOf, isCut && last ? placeOf(last) : undefined).map((row) => explained.get(row));
}

function placeOf(row: RuleRow) {
  return RULE_ORDER.map(({ column }) => row[column]);
}
