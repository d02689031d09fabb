import { keepPreviousData, useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client.js";
import { send } from "../../api/http.js";
import { policyQuery } from "../../api/queries.js";
import type { Rule, Trace } from "../../api/types.js";
import { useSession } from "../../session/use-session.js";
import { useRulePages } from "../../parts/use-rule-pages.js";
import type { Question } from "../../parts/tried.js";
import type { Moment } from "./search.js";

/** Rules of a trace that one request brings. */
const PAGE_SIZE = 20;

export type TracePages = ReturnType<typeof useTrace>;

/** The trace of a question. A new question aborts the request of the one before. */
export function useTrace({ login, clientIp, userAgent }: Question, { at, revision }: Moment) {
  const { accountPrefix } = useSession();
  const { data: policy } = useSuspenseQuery(policyQuery);
  const first = {
    path: { policyId: policy.id },
    query: {
      resource: accountPrefix + login,
      limit: PAGE_SIZE,
      ...(clientIp !== "" && { clientIp }),
      ...(userAgent !== "" && { userAgent }),
      ...(at !== undefined && { at }),
      ...(revision !== undefined && { revision }),
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

/**
 * The rules of a trace by id, for what their conditions ask: a trace has only what they saw.
 *
 * @param count how many rules of the trace are shown, which are the first ones of the policy
 */
export function useKnownRules(count: number): ReadonlyMap<string, Rule> {
  const { rules } = useRulePages("tried", count);
  return new Map(rules.map((rule) => [rule.id, rule]));
}

/** One rule, for what its conditions ask; `undefined` while it is not known, or is of the past. */
export function useKnownRule(ruleId: string, isPast: boolean): Rule | undefined {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const { data } = useQuery({
    queryKey: ["rules", policy.id, "decides", ruleId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/v1/policies/{policyId}/rules/{ruleId}", {
          params: { path: { policyId: policy.id, ruleId } },
          signal,
        }),
      ),
    enabled: !isPast,
  });
  return data?.data;
}
