import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { send } from "../../api/http.js";
import { policyQuery } from "../../api/queries.js";
import type { Rule } from "../../api/types.js";

/** What a write of a rule sends. */
export type RuleBody = Pick<Rule, "name" | "conditions" | "actions"> & Partial<Pick<Rule, "priority" | "status">>;

const PAGE_SIZE = 200;

/** Every rule, in order. They are shown as they come, page by page. */
export function useRules() {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const path = `/api/v1/policies/${policy.id}/rules`;
  const query = useInfiniteQuery({
    queryKey: ["rules", policy.id, "all"],
    queryFn: ({ pageParam, signal }) => send<Rule[]>(pageParam, { signal }),
    initialPageParam: `${path}?limit=${PAGE_SIZE}`,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  return { path, rules: query.data ?? [], isComplete: query.isSuccess && !hasNextPage, error: query.error };
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

export function toBody({ name, conditions, actions, priority, status, system }: Rule): RuleBody {
  return { name, conditions, actions, ...(!system && { priority, status }) };
}

/** Give a rule another place, unless somebody else has changed it meanwhile. */
export async function moveRule(path: string, { id }: Rule, priority: number): Promise<void> {
  const { data, etag } = await send<Rule>(`${path}/${id}`);
  await send(`${path}/${id}`, { method: "PUT", body: { ...toBody(data), priority }, ifMatch: etag });
}

/** Switch a rule on or off. */
export async function switchRule(path: string, { id, status }: Rule): Promise<void> {
  await send(`${path}/${id}/lifecycle/${status === "ACTIVE" ? "deactivate" : "activate"}`, {
    method: "POST",
    body: {},
  });
}
