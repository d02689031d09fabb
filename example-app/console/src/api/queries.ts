import { infiniteQueryOptions, queryOptions, type Query, type QueryClient } from "@tanstack/react-query";
import { answerOf, api } from "./client.js";
import { ApiProblem, send, type Answer } from "./http.js";
import { faults } from "../texts/en/faults.js";
import type { Session } from "./types.js";

/** The largest page of every list. */
export const PAGE_SIZE = 200;

export const SESSION_KEY = ["session"] as const;

/** The pause before a page tries again what failed because of an outage, in milliseconds. */
export const RETRY_MS = 5_000;

/** Whether a session has ended while the console was open. */
export const ENDED_KEY = ["ended"] as const;

/** The request that index.html began, once. */
function takeFirst(): Promise<Response> | undefined {
  const { firstSession } = window;
  window.firstSession = undefined;
  return firstSession;
}

declare global {
  interface Window {
    firstSession?: Promise<Response> | undefined;
  }
}

const isOfPages = ({ queryKey: [first] }: Query) => first !== SESSION_KEY[0] && first !== ENDED_KEY[0];

/** Whoever is not signed in any more sees the page to sign in; what the pages have read is forgotten. */
export function endSession(client: QueryClient): void {
  client.setQueryData(ENDED_KEY, true);
  client.setQueryData(SESSION_KEY, null);
  client.removeQueries({ predicate: isOfPages });
}

/** `null` for who is not signed in. It is read again when one comes back: one session is for all tabs. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  async queryFn({ signal, client }): Promise<Session | null> {
    const before = client.getQueryData<Session | null>(SESSION_KEY);
    try {
      const { data } = await send<Session>("/console/session", { signal, begun: takeFirst() });
      if (before && before.token.id !== data.token.id) void client.resetQueries({ predicate: isOfPages });
      return data;
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
      if (before) endSession(client);
      return null;
    }
  },
  staleTime: Infinity,
  refetchOnWindowFocus: "always",
  retry: false,
});

export const policyQuery = queryOptions({
  queryKey: ["policy"],
  async queryFn({ signal }) {
    const { data } = await answerOf(
      api.GET("/api/v1/policies", { params: { query: { type: "IDP_DISCOVERY" } }, signal }),
    );
    const [policy] = data;
    if (!policy) throw new Error(faults.noPolicy);
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
