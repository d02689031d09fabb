import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRulePages } from "../../parts/use-rule-pages.js";

/** Every rule, in order. They are shown as they come, page by page. */
export function useRules() {
  return useRulePages("all", Infinity);
}

/** Whatever a write does, the rules and the traces are read again. */
export function useRuleWrite<V>(write: (values: V) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["rules"] }),
        client.invalidateQueries({ queryKey: ["trace"] }),
      ]),
  });
}
