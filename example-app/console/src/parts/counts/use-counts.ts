import { useQueries, useQuery } from "@tanstack/react-query";
import { policyQuery } from "../../api/queries.js";
import { send, withQuery, type Answer } from "../../api/http.js";
import type { DecisionCount } from "../../api/types.js";

/** The periods whose decisions are counted, in days. */
const PERIODS = [1, 7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

const PAGE_SIZE = 200;

/** So many pages are read of each period; an org with more rules has no counts here. */
const MAX_PAGES = 10;

const DAY_MS = 86_400_000;
const FRESH_MS = 60_000;

/** How often rules decided and providers were selected, by their ids. */
export interface Counts {
  /** `undefined` while it is not known. */
  readonly of: (id: string, period: Period) => number | undefined;
}

/** The id under which the org itself is counted. */
const ORG_COUNT = "";

/** Decisions of each rule and of each provider that was the first one. */
export function useCounts(): Counts {
  const { data: policy } = useQuery(policyQuery);
  const policyId = policy?.id ?? "";
  const found = useQueries({
    queries: PERIODS.map((period) => ({
      queryKey: ["decisions", policyId, period],
      queryFn: ({ signal }: { signal: AbortSignal }) => readCounts(policyId, period, signal),
      enabled: policy !== undefined,
      staleTime: FRESH_MS,
    })),
  });
  return {
    of(id, period) {
      const counts = found[PERIODS.indexOf(period)]?.data;
      return counts ? (counts.get(id) ?? 0) : undefined;
    },
  };
}

/** `null` when there are more counts than are read. */
async function readCounts(
  policyId: string,
  period: Period,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | null> {
  const counts = new Map<string, number>();
  const since = new Date(Date.now() - period * DAY_MS).toISOString();
  let next: string | undefined = withQuery(`/api/v1/policies/${policyId}/decisions`, { since, limit: PAGE_SIZE });
  for (let pages = 0; next !== undefined; pages++) {
    if (pages === MAX_PAGES) return null;
    const page: Answer<DecisionCount[]> = await send<DecisionCount[]>(next, { signal });
    for (const { rule, provider, count } of page.data) {
      for (const id of [rule.id, provider.id ?? ORG_COUNT]) counts.set(id, (counts.get(id) ?? 0) + count);
    }
    next = page.next;
  }
  return counts;
}
