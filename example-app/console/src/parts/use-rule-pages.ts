import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { answerOf, api } from "../api/client.js";
import { send } from "../api/http.js";
import { PAGE_SIZE, policyQuery } from "../api/queries.js";
import type { Rule } from "../api/types.js";

/**
 * The first rules of the policy, in order. They are shown as they come, page by page.
 *
 * @param purpose each has pages of its own, and reads no others again
 * @param count so many are read, and the others of their page
 */
export function useRulePages(purpose: Purpose, count: number) {
  const { data: policy } = useSuspenseQuery(policyQuery);
  return { policyId: policy.id, ...useRulePagesOf(policy.id, purpose, count) };
}

type Purpose = "all" | "tried";

/** The same of a policy that may not be known yet: then nothing is read. */
export function useRulePagesOf(policyId: string | undefined, purpose: Purpose, count: number) {
  const first = { path: { policyId: policyId ?? "" }, query: { limit: PAGE_SIZE } };
  const query = useInfiniteQuery({
    queryKey: ["rules", policyId, purpose],
    enabled: policyId !== undefined,
    queryFn: ({ pageParam: next, signal }) =>
      next === undefined
        ? answerOf(api.GET("/api/v1/policies/{policyId}/rules", { params: first, signal }))
        : send<Rule[]>(next, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
  const { data: rules = [], hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const isWanted = rules.length < count && hasNextPage;
  useEffect(() => {
    if (isWanted && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [isWanted, isFetchingNextPage, isError, fetchNextPage]);
  return { rules, isComplete: query.isSuccess && !hasNextPage, error: query.error };
}
