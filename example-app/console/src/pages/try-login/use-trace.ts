import { keepPreviousData, useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client.js";
import { send } from "../../api/http.js";
import { policyQuery } from "../../api/queries.js";
import type { Rule, Trace } from "../../api/types.js";
import { useSession } from "../../session/use-session.js";
import type { Question } from "../../parts/tried.js";

/** Rules of a trace that one request brings. */
const PAGE_SIZE = 20;

/** Rules whose conditions one request brings, to be shown beside the trace. */
const KNOWN_RULES = 200;

/** The trace of a question. A new question aborts the request of the one before. */
export function useTrace({ login, clientIp, userAgent }: Question) {
  const { accountPrefix } = useSession();
  const { data: policy } = useSuspenseQuery(policyQuery);
  const first = {
    path: { policyId: policy.id },
    query: {
      resource: accountPrefix + login,
      limit: PAGE_SIZE,
      ...(clientIp !== "" && { clientIp }),
      ...(userAgent !== "" && { userAgent }),
    },
  };
  return useInfiniteQuery({
    queryKey: ["trace", first],
    queryFn: ({ pageParam: next, signal }) =>
      next === undefined
        ? answerOf(api.GET("/api/v1/policies/{policyId}/trace", { params: first, signal }))
        : send<Trace>(next, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    enabled: login !== "",
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The first rules of the policy, by id: a trace has only what their conditions saw. */
export function useKnownRules(): ReadonlyMap<string, Rule> {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const first = { path: { policyId: policy.id }, query: { limit: KNOWN_RULES } };
  const { data = [] } = useQuery({
    queryKey: ["rules", policy.id, "first"],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET("/api/v1/policies/{policyId}/rules", { params: first, signal }))).data,
  });
  return new Map(data.map((rule) => [rule.id, rule]));
}
