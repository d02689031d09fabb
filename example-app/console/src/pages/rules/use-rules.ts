import { useRulePages } from "../../parts/use-rule-pages.js";

/** Every rule, in order. They are shown as they come, page by page. */
export function useRules() {
  return useRulePages("all", Infinity);
}
