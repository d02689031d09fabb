import { setImmediate } from "node:timers/promises";
import type { HistoricRecord, HistoryKind } from "../contract/change-notes.js";
import type { Db } from "../contract/schema.js";
import type { PageRange } from "../lists/pages.js";
import type { ChangeRow } from "./revision-list.js";
import { eventOf, isSameContent, type ListedChange } from "./revisions.js";
import { findNext, readVersion, type State } from "./versions.js";
import { goBack, readPresent, type PastState } from "./walk.js";

/** The most characters of the records of a page, if it is more than one record. */
const PAGE_CHARACTERS = 1_048_576;

/** The most records that are looked at for a page: some have changed and changed back. */
const MAX_EXAMINED = 1_000;

/** So much is read in a turn of the event loop. */
const TURN_CHARACTERS = 262_144;

/** Two states of a record; `null` is none. */
export interface Compared extends ListedChange {
  readonly before: HistoricRecord | null;
  readonly after: HistoricRecord | null;
  /** The characters of both as JSON. */
  readonly size: number;
}

interface ComparedPage<T> {
  /** What was looked at, the nearest first, and what became of it; nothing for records without a difference. */
  readonly found: readonly (Compared & { readonly key: T })[];
  /** The last that was looked at, if the page ends before its limit. */
  readonly end: T | undefined;
}

/** What the changes of a revision were, for a page of them. */
export function compareChanges(db: Db, orgId: string, rows: readonly ChangeRow[]): Promise<ComparedPage<ChangeRow>> {
  return comparePage(rows, rows.length, async (row) => {
    const { kind, object_id: id, name, event, revision, place } = row;
    const old = await readVersion(db, orgId, { kind, id, state: event === "create" ? null : { revision, place } });
    const state = event === "delete" ? null : await findNext(db, orgId, row);
    const next = await readVersion(db, orgId, { kind, id, state });
    const after = atPriority(next.record, row.priority_after);
    return { key: row, kind, id, name, event, before: old.record, after, size: old.size + next.size };
  });
}

/** What differs between the states at two revisions, for a page of it. The keys are texts, in the order of a list. */
export async function compareStates(
  db: Db,
  orgId: string,
  [from, to]: readonly [from: number, to: number],
  { after, before, fetchLimit }: PageRange,
): Promise<ComparedPage<string>> {
  const later = await goBack(db, orgId, await readPresent(db, orgId), Math.max(from, to));
  const earlier = await goBack(db, orgId, later, Math.min(from, to));
  const read = stateReader(db, orgId, [earlier, later]);
  const keys = Object.entries(earlier.touched).flatMap(([kind, ids]) => [...ids.keys()].map((id) => `${kind} ${id}`));
  const [first = "", last] = [after?.[0], before?.[0]];
  const wanted = keys.sort().filter((key) => key > String(first) && (last === undefined || key < String(last)));
  if (before) wanted.reverse();
  return comparePage(wanted, fetchLimit, async (key) => {
    const [kind, id] = key.split(" ") as [HistoryKind, string];
    const states = [await read(earlier, kind, id), await read(later, kind, id)];
    const [old, next] = from <= to ? states : states.reverse();
    if (!old || !next || isSameContent(old.record, next.record)) return undefined;
    const { name = "" } = next.record ?? old.record ?? {};
    const event = eventOf(old.record, next.record);
    return { key, kind, id, name, event, before: old.record, after: next.record, size: old.size + next.size };
  });
}

async function comparePage<T>(
  keys: readonly T[],
  limit: number,
  compare: (key: T) => Promise<(Compared & { readonly key: T }) | undefined>,
): Promise<ComparedPage<T>> {
  const found: (Compared & { readonly key: T })[] = [];
  let characters = 0;
  let turn = 0;
  for (const [index, key] of keys.entries()) {
    if (found.length === limit) break;
    const compared = await compare(key);
    const size = compared?.size ?? 0;
    const isFull = found.length > 0 && characters + size > PAGE_CHARACTERS;
    if (isFull || index === MAX_EXAMINED) return { found, end: keys[index - 1] };
    characters += size;
    if (compared) found.push(compared);
    if ((turn += size + TURN_CHARACTERS / 50) > TURN_CHARACTERS) {
      await setImmediate();
      turn = 0;
    }
  }
  return { found, end: undefined };
}

/** A function that reads a record as it was at one of two states; `earlier` changed into `later`. */
function stateReader(db: Db, orgId: string, [earlier, later]: readonly [PastState, PastState]) {
  const priorities = new Map(
    [earlier, later].map((state) => [state, new Map(state.order.map((id, index) => [id, index + 1]))]),
  );
  return async (state: PastState, kind: HistoryKind, id: string) => {
    const version: State = state.touched[kind].get(id);
    const { record, size } = await readVersion(db, orgId, { kind, id, state: version });
    return { record: atPriority(record, priorities.get(state)?.get(id) ?? null), size };
  };
}

/** Other rules may have moved it since. */
function atPriority(record: HistoricRecord | null, priority: number | null): HistoricRecord | null {
  return record && priority !== null && "priority" in record ? { ...record, priority } : record;
}
