import { keepPreviousData, useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { send, withQuery } from "../../api/http.js";
import { policyQuery } from "../../api/queries.js";
import type { Rule, Trace } from "../../api/types.js";
import { useSession } from "../../session/use-session.js";
import type { Question } from "./question.js";

/** Rules of a trace that one request brings. */
const PAGE_SIZE = 20;

/** Rules whose conditions one request brings, to be shown beside the trace. */
const KNOWN_RULES = 200;

/** The trace of a question. A new question aborts the request of the one before. */
export function useTrace({ login, clientIp, userAgent }: Question) {
  const { accountPrefix } = useSession();
  const { data: policy } = useSuspenseQuery(policyQuery);
  const path = withQuery(`/api/v1/policies/${policy.id}/trace`, {
    resource: accountPrefix + login,
    clientIp: clientIp === "" ? undefined : clientIp,
    userAgent: userAgent === "" ? undefined : userAgent,
    limit: PAGE_SIZE,
  });
  return useInfiniteQuery({
    queryKey: ["trace", path],
    queryFn: ({ pageParam, signal }) => send<Trace>(pageParam, { signal }),
    initialPageParam: path,
    getNextPageParam: (page) => page.next,
    enabled: login !== "",
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The first rules of the policy, by id: a trace has only what their conditions saw. */
export function useKnownRules(): ReadonlyMap<string, Rule> {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const path = `/api/v1/policies/${policy.id}/rules?limit=${KNOWN_RULES}`;
  const { data = [] } = useQuery({
    queryKey: ["rules", policy.id, "first"],
    queryFn: async ({ signal }) => (await send<Rule[]>(path, { signal })).data,
  });
  return new Map(data.map((rule) => [rule.id, rule]));
}
