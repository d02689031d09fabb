import type { Rule } from "../model/records.js";
import { measureRow, type CountedTable } from "../store/contract/columns.js";
import { compareRules } from "../store/records/rules.js";
import type { Usage } from "../store/records/usage.js";

/** How many bytes more a record has than before. */
export function measureGrowth<R>(
  table: CountedTable,
  toRow: (orgId: string, record: R) => object,
  record: R,
  before: R | undefined,
): number {
  const measure = (version: R | undefined): number => (version ? measureRow(table, toRow("", version)) : 0);
  return measure(record) - measure(before);
}

/** The default rule, which every org has, doesn't count as one. */
export function measureRule(rule: Rule, before: Rule | undefined): Usage {
  return { rules: before || rule.system ? 0 : 1, ...compareRules(before, rule) };
}
