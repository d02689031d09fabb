import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Rule } from "../../api/types.js";
import type { Counts } from "../../parts/counts/use-counts.js";
import type { Names } from "../../parts/describe-rule.js";
import { splitWords } from "../../parts/find-words.js";
import { createSearch, prepareSearch } from "./search-rules.js";
import { isWarning, type Findings } from "./use-findings.js";

export interface RuleFilter {
  readonly text: string;
  /** Only those that may be wrong. */
  readonly isDoubted: boolean;
  /** Only those that had no login in 90 days. */
  readonly isUnused: boolean;
}

const NO_FILTER: RuleFilter = { text: "", isDoubted: false, isUnused: false };

/** The rules that one looks for. */
export function useShownRules(rules: readonly Rule[], findings: Findings, counts: Counts, names: Names) {
  const [filter, setFilter] = useState(NO_FILTER);
  const words = splitWords(useDeferredValue(filter.text));
  const hasWords = useMemo(() => createSearch(names), [names]);
  useEffect(() => prepareSearch(rules, hasWords), [rules, hasWords]);
  const isInDoubt = ({ id }: Rule) => findings.get(id)?.some(isWarning) === true;
  const isUnused = ({ id }: Rule) => counts.of(id, 90) === 0;
  const shown = rules.filter(
    (rule) =>
      (!filter.isDoubted || isInDoubt(rule)) &&
      (!filter.isUnused || isUnused(rule)) &&
      (words.length === 0 || hasWords(rule, words)),
  );
  return {
    filter,
    change: (changes: Partial<RuleFilter>) => {
      setFilter({ ...filter, ...changes });
    },
    isFiltered: filter.text !== "" || filter.isDoubted || filter.isUnused,
    words,
    shown,
    doubted: rules.filter(isInDoubt).length,
    unused: rules.filter(isUnused).length,
  };
}
