import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ApiProblem, send } from "./http.js";
import type { Idp, Policy, Rule, Session, Zone } from "./types.js";

const API = "/api/v1";

/** The largest page of every list. */
const PAGE_SIZE = 200;

export const SESSION_KEY = ["session"] as const;

/** Whether a session has ended while the console was open. */
export const ENDED_KEY = ["ended"] as const;

/** `null` for who is not signed in. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  async queryFn({ signal }): Promise<Session | null> {
    try {
      return (await send<Session>("/console/session", { signal })).data;
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
  retry: false,
});

export const policyQuery = queryOptions({
  queryKey: ["policy"],
  async queryFn({ signal }) {
    const { data } = await send<Policy[]>(`${API}/policies`, { query: { type: "IDP_DISCOVERY" }, signal });
    const [policy] = data;
    if (!policy) throw new Error("The org has no discovery policy.");
    return policy;
  },
  staleTime: Infinity,
});

/** All records of a list, page by page. */
async function listAll<T>(path: string, signal: AbortSignal): Promise<T[]> {
  const records: T[] = [];
  for (
    let next: string | undefined = `${path}${path.includes("?") ? "&" : "?"}limit=${PAGE_SIZE}`;
    next !== undefined;
  ) {
    const page: Awaited<ReturnType<typeof send<T[]>>> = await send<T[]>(next, { signal });
    records.push(...page.data);
    next = page.next;
  }
  return records;
}

export const idpsQuery = queryOptions({
  queryKey: ["idps"],
  queryFn: ({ signal }) => listAll<Idp>(`${API}/idps`, signal),
});

export const zonesQuery = queryOptions({
  queryKey: ["zones"],
  queryFn: ({ signal }) => listAll<Zone>(`${API}/zones`, signal),
});

export const rulesQuery = (policyId: string) =>
  queryOptions({
    queryKey: ["rules", policyId],
    queryFn: ({ signal }) => listAll<Rule>(`${API}/policies/${policyId}/rules`, signal),
  });

/** A list that is read as one scrolls. */
export const pagesQuery = <T>(key: readonly unknown[], path: string) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => send<T[]>(pageParam, { signal }),
    initialPageParam: path,
    getNextPageParam: (page) => page.next,
  });
