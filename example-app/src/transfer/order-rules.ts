import type { Rule } from "../model/records.js";
import type { Merge } from "./merge.js";

/**
 * The rules to write. The rules of the file come first, in its order; the others follow in their order; the default
 * rule is last. A rule of the file that changes its place counts as updated, except the default rule.
 *
 * @param kept the stored rules without those that the import removes
 */
export function orderRules(
  { records, changed, counts, before }: Merge<Rule>,
  kept: readonly Rule[],
  now: string,
): Rule[] {
  if (records.length === 0 && before.size === kept.length) return [];
  const named = new Set(records.map(({ id }) => id));
  const others = kept.filter(({ id }) => !named.has(id));
  const ordered = [...records, ...others].sort((a, b) => Number(a.system) - Number(b.system)); // a stable sort
  return ordered.flatMap((rule, i) => {
    const priority = i + 1;
    if (rule.priority === priority) return changed.has(rule) ? [rule] : [];
    if (named.has(rule.id) && !rule.system && !changed.has(rule)) {
      counts.unchanged--;
      counts.updated++;
      changed.set(rule, "update");
    }
    return [{ ...rule, priority, lastUpdated: now }];
  });
}
