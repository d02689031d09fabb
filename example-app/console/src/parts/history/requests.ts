import { infiniteQueryOptions } from "@tanstack/react-query";
import { answerOf, api, ifMatch } from "../../api/client.js";
import { send, withQuery, type Answer } from "../../api/http.js";
import type { Allowance } from "../use-allowed-write.js";
import type { ListedRevision, RestoreResult, RevisedChange, Revision } from "../../api/types.js";

const PAGE_SIZE = 50;

/** Of one record, each with its change, which is a request. */
const OF_RECORD = 10;

const CHANGES_SIZE = 20;

/** The most records that one request brings back by their ids. */
export const MAX_TARGETS = 200;

/** The key of everything that is read of the history. */
const REVISIONS_KEY = "revisions";

/** @param target the id of a record; by default the revisions of all */
export const revisionsQuery = (policyId: string, target?: string) =>
  infiniteQueryOptions({
    queryKey: [REVISIONS_KEY, policyId, target],
    queryFn: ({ pageParam, signal }) => send<ListedRevision[]>(pageParam, { signal }),
    initialPageParam: withQuery(`/api/v1/policies/${policyId}/revisions`, {
      limit: target === undefined ? PAGE_SIZE : OF_RECORD,
      target,
    }),
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });

/** @param target the id of a record; by default every change of the revision */
export const changesQuery = (policyId: string, revision: number, target?: string) =>
  infiniteQueryOptions({
    queryKey: [REVISIONS_KEY, policyId, "changes", revision, target],
    queryFn: ({ pageParam, signal }) => send<Revision>(pageParam, { signal }),
    initialPageParam: withQuery(`/api/v1/policies/${policyId}/revisions/${revision}`, { limit: CHANGES_SIZE, target }),
    getNextPageParam: (page) => page.next,
    select: ({ pages }): RevisedChange[] => pages.flatMap(({ data }) => data.changes),
  });

/** The ids of all records that a revision changed. It has at most {@link MAX_TARGETS}. */
export async function readTargets(policyId: string, { revision, changes, changeCount }: ListedRevision) {
  if (changeCount <= changes.length) return changes.map(({ id }) => id);
  const ids: string[] = [];
  let next: string | undefined = withQuery(`/api/v1/policies/${policyId}/revisions/${revision}`, { limit: 100 });
  while (next !== undefined && ids.length < changeCount) {
    const page: Answer<Revision> = await send<Revision>(next);
    ids.push(...page.data.changes.map(({ id }) => id));
    next = page.next;
  }
  return ids;
}

export interface Restored {
  readonly revision: number;
  /** The ids of the records to bring back; all by default. */
  readonly targets?: readonly string[] | undefined;
}

/** What it would change, with the entity tag of the state that it would change. */
export function rehearseRestore(policyId: string, what: Restored): Promise<Answer<RestoreResult>> {
  return restore(policyId, what, { dryRun: "true", allowFailingTests: "true" });
}

/** @param seen the entity tag that the rehearsal had; a later state stays */
export function makeRestore(
  policyId: string,
  what: Restored,
  seen: string | undefined,
  { allowFailingTests }: Allowance,
): Promise<Answer<RestoreResult>> {
  return restore(policyId, what, allowFailingTests ? { allowFailingTests } : {}, seen);
}

function restore(
  policyId: string,
  { revision, targets }: Restored,
  query: { dryRun?: "true"; allowFailingTests?: "true" },
  seen?: string,
): Promise<Answer<RestoreResult>> {
  const path = { policyId, revision: String(revision) };
  return answerOf(
    api.POST("/api/v1/policies/{policyId}/revisions/{revision}/restore", {
      params: { path, query, header: ifMatch(seen) },
      body: targets ? { targets: [...targets] } : {},
    }),
  );
}
