import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client.js";
import { useRulePages } from "../../parts/use-rule-pages.js";

export const hasIdpQuery = queryOptions({
  queryKey: ["idps", "first run"],
  queryFn: async ({ signal }) => {
    const { data } = await answerOf(api.GET("/api/v1/idps", { params: { query: { limit: 1 } }, signal }));
    return data.length > 0;
  },
});

/** Whether there is a rule beside the default one; `undefined` while nobody knows. */
export function useHasRule(): boolean | undefined {
  const { rules } = useRulePages("tried", 0);
  return rules.length === 0 ? undefined : rules.some(({ system }) => !system);
}
