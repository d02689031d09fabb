import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { answerOf, api } from "../../api/client.js";
import { send } from "../../api/http.js";
import { PAGE_SIZE, policyQuery } from "../../api/queries.js";
import type { Rule } from "../../api/types.js";

/** Every rule, in order. They are shown as they come, page by page. */
export function useRules() {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const first = { path: { policyId: policy.id }, query: { limit: PAGE_SIZE } };
  const query = useInfiniteQuery({
    queryKey: ["rules", policy.id, "all"],
    queryFn: ({ pageParam: next, signal }) =>
      next === undefined
        ? answerOf(api.GET("/api/v1/policies/{policyId}/rules", { params: first, signal }))
        : send<Rule[]>(next, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  return {
    policyId: policy.id,
    rules: query.data ?? [],
    isComplete: query.isSuccess && !hasNextPage,
    error: query.error,
  };
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
