import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./client.js";
import { ApiProblem, send, type Answer } from "./http.js";
import type { Session } from "./types.js";

/** The largest page of every list. */
export const PAGE_SIZE = 200;

export const SESSION_KEY = ["session"] as const;

/** The pause before a page tries again what failed because of an outage, in milliseconds. */
export const RETRY_MS = 5_000;

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
    const { data } = await answerOf(
      api.GET("/api/v1/policies", { params: { query: { type: "IDP_DISCOVERY" } }, signal }),
    );
    const [policy] = data;
    if (!policy) throw new Error("The org has no discovery policy.");
    return policy;
  },
  staleTime: Infinity,
});

/** All records of a list, page by page, from its first page on. */
export async function listAll<T>(first: Promise<Answer<T[]>>, signal: AbortSignal): Promise<T[]> {
  const records: T[] = [];
  for (let page = await first; ; page = await send<T[]>(page.next, { signal })) {
    records.push(...page.data);
    if (page.next === undefined) return records;
  }
}

const LARGEST_PAGE = { params: { query: { limit: PAGE_SIZE } } };

export const idpsQuery = queryOptions({
  queryKey: ["idps"],
  queryFn: ({ signal }) => listAll(answerOf(api.GET("/api/v1/idps", { ...LARGEST_PAGE, signal })), signal),
});

export const zonesQuery = queryOptions({
  queryKey: ["zones"],
  queryFn: ({ signal }) => listAll(answerOf(api.GET("/api/v1/zones", { ...LARGEST_PAGE, signal })), signal),
});

/** A list that is read as one scrolls. */
export const pagesQuery = <T>(key: readonly unknown[], path: string) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => send<T[]>(pageParam, { signal }),
    initialPageParam: path,
    getNextPageParam: (page) => page.next,
  });
