import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { answerOf, api } from "../api/client.js";
import { send, withQuery } from "../api/http.js";
import { idpsQuery, listAll, PAGE_SIZE, policyQuery, zonesQuery } from "../api/queries.js";
import type { User } from "../api/types.js";
import { sortByName } from "../parts/collate.js";
import { hasWords, splitWords } from "../parts/find-words.js";
import { useRulePagesOf } from "../parts/use-rule-pages.js";
import { useScope } from "../session/use-session.js";

/** How many records of a kind are offered. */
const SHOWN = 5;

/** The longest text that the lists of the API search for. */
export const MAX_SEARCH = 100;

export interface Hit {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the same name. */
  readonly about?: string;
}

export interface Found {
  readonly hits: readonly Hit[];
  readonly isReading: boolean;
  readonly error: Error | null;
}

const NONE: readonly Hit[] = [];

const NOTHING: Found = { hits: [], isReading: false, error: null };

/** The first rules that have the words. They are read page by page, and shown as they come. */
function useFoundRules(text: string): Found {
  const mayRead = useScope("policies.read");
  // not with Suspense: without the server, only this part fails, and not the frame of the pages
  const { data: policy, error: problem } = useQuery({ ...policyQuery, enabled: mayRead });
  const pages = useRulePagesOf(policy?.id, "all", text === "" ? 0 : Infinity);
  const error = problem ?? pages.error;
  const hits = usePicked(pages.rules, text);
  return mayRead ? { hits, isReading: text !== "" && !pages.isComplete && !error, error } : NOTHING;
}

/** The first records of each kind that have the words, as far as the token may read them. */
export function useFound(text: string) {
  const isAsked = text !== "";
  const rules = useFoundRules(text);
  const select = sortByName<Hit>;
  const idps = useKept(useQuery({ ...idpsQuery, select, enabled: useScope("idps.read") && isAsked }), text);
  const zones = useKept(useQuery({ ...zonesQuery, select, enabled: useScope("zones.read") && isAsked }), text);
  const origins = useKept(
    useQuery({ ...originsQuery, select, enabled: useScope("trustedOrigins.read") && isAsked }),
    text,
  );
  const users = useFoundUsers(text);
  return { rules, idps, zones, origins, users };
}

interface Reading<T> {
  readonly data: T | undefined;
  readonly isFetching: boolean;
  readonly error: Error | null;
}

function useKept({ data = NONE, isFetching, error }: Reading<readonly Hit[]>, text: string): Found {
  return { hits: usePicked(data, text), isReading: isFetching, error };
}

/** See {@link pick}. There may be thousands, which no key that one types goes through again. */
function usePicked(records: readonly Hit[], text: string): Hit[] {
  return useMemo(() => pick(records, text), [records, text]);
}

const originsQuery = queryOptions({
  queryKey: ["trustedOrigins", "all"],
  queryFn: ({ signal }) =>
    listAll(answerOf(api.GET("/api/v1/trustedOrigins", { params: { query: { limit: PAGE_SIZE } }, signal })), signal),
  retry: false,
});

/** What the server finds: there may be many. */
function useFoundUsers(text: string): Found {
  const mayRead = useScope("users.read");
  const { data = [], isFetching, error } = useQuery({ ...usersQuery(text), enabled: mayRead && text !== "" });
  return text === "" ? NOTHING : { hits: data, isReading: isFetching, error };
}

const usersQuery = (text: string) =>
  queryOptions({
    queryKey: ["found", "users", text],
    async queryFn({ signal }): Promise<Hit[]> {
      const { data } = await send<User[]>(withQuery("/api/v1/users", { q: text, limit: SHOWN }), { signal });
      return data.map(({ id, profile: { firstName, lastName, login } }) => ({
        id,
        name: `${firstName} ${lastName}`,
        about: login,
      }));
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

/** The first records whose names have every word. */
function pick(records: readonly Hit[], text: string): Hit[] {
  const words = splitWords(text);
  const hits: Hit[] = [];
  if (words.length === 0) return hits;
  for (const { id, name } of records) {
    if (hasWords(name, words)) hits.push({ id, name });
    if (hits.length === SHOWN) break;
  }
  return hits;
}
