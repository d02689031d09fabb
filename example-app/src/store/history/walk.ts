import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { HistoryKind } from "../contract/change-notes.js";
import type { RevisionChangeRow } from "../contract/log-schema.js";
import type { Db } from "../contract/schema.js";
import { readRevision } from "../records/queries.js";

/** Rows that one statement reads. Their long texts are not read. */
const PAGE_SIZE = 250;

/** The place of what was before a change. */
export type Version = Readonly<Pick<RevisionChangeRow, "revision" | "place">>;

/** What records were at a revision, of those that have changed since: `null` if they were not there. By kind and id. */
type Touched = Readonly<Record<HistoryKind, Map<string, Version | null>>>;

/** The state of an org at a revision. Records that are not in `touched` are what they are now. */
export interface PastState {
  readonly revision: number;
  readonly touched: Touched;
  /** The ids of the rules in their order. */
  readonly order: readonly string[];
}

/** The revisions of which the history knows the state. */
export interface KnownRevisions {
  readonly first: number;
  /** The org's present revision. */
  readonly last: number;
}

export async function readKnown(db: Db, orgId: string): Promise<KnownRevisions> {
  const last = (await readRevision(db, orgId)) ?? 0;
  const oldest = await db
    .selectFrom("revisions")
    .select("revision")
    .where("org_id", "=", orgId)
    .orderBy("revision")
    .limit(1)
    .executeTakeFirst();
  return { first: oldest ? Math.max(1, oldest.revision - 1) : last, last };
}

/** The state at present, from which {@link goBack} begins. */
export async function readPresent(db: Db, orgId: string): Promise<PastState> {
  const order: string[] = [];
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from rules where org_id = ${orgId} and priority > ${order.length} order by priority limit ${PAGE_SIZE}
    `.execute(db);
    order.push(...rows.map(({ id }) => id));
    if (rows.length < PAGE_SIZE) break;
    await setImmediate();
  }
  return { revision: Infinity, touched: createTouched(), order };
}

/**
 * Undo the changes after `revision`, the newest first. `touched` of the result are the records that changed between the two
 * states, as they were at `revision`.
 */
export async function goBack(db: Db, orgId: string, state: PastState, revision: number): Promise<PastState> {
  const touched = createTouched();
  const kinds: Partial<Touched> = touched; // a newer version of the server may have written others
  let order = [...state.order];
  let rules: UndoneChange[] = [];
  let current: number | undefined;
  for await (const rows of readChanges(db, orgId, { after: revision, upTo: state.revision })) {
    for (const row of rows) {
      if (row.revision !== current) {
        order = undoRules(order, rules);
        rules = [];
        current = row.revision;
      }
      if (row.kind === "rule") rules.push(row);
      kinds[row.kind]?.set(row.object_id, row.event === "create" ? null : { revision: row.revision, place: row.place });
    }
  }
  order = undoRules(order, rules);
  return { revision, touched, order };
}

type UndoneChange = Pick<RevisionChangeRow, "object_id" | "priority_before" | "priority_after">;

type ReadChange = UndoneChange & Pick<RevisionChangeRow, "revision" | "place" | "kind" | "event">;

/** To splice an order takes time for all that is behind the place: a large set, such as that of an import, is merged. */
const MAX_SPLICED = 64;

/** The changes of rules of one revision are a set, see `ChangeNotes`. @returns the order before them */
function undoRules(order: string[], changes: readonly UndoneChange[]): string[] {
  if (changes.length > MAX_SPLICED) return undoMany(order, changes);
  const priorities = (name: "priority_before" | "priority_after") =>
    changes
      .flatMap((change) => (change[name] === null ? [] : [{ id: change.object_id, index: change[name] - 1 }]))
      .sort((a, b) => a.index - b.index);
  for (const { id, index } of priorities("priority_after").reverse()) {
    const place = order[index] === id ? index : order.indexOf(id);
    if (place >= 0) order.splice(place, 1);
  }
  for (const { id, index } of priorities("priority_before")) order.splice(index, 0, id);
  return order;
}

function undoMany(order: readonly string[], changes: readonly UndoneChange[]): string[] {
  const changed = new Set(changes.map(({ object_id: id }) => id));
  const back = new Map(changes.map(({ object_id: id, priority_before: priority }) => [priority, id]));
  back.delete(null); // what was created
  const before: string[] = [];
  const putBack = (): void => {
    for (let id; (id = back.get(before.length + 1)) !== undefined;) before.push(id);
  };
  for (const id of order) {
    if (changed.has(id)) continue;
    putBack();
    before.push(id);
  }
  putBack();
  return before;
}

/** Changes in parts, the newest first, each part in a turn of the event loop. */
async function* readChanges(
  db: Db,
  orgId: string,
  { after, upTo }: Readonly<{ after: number; upTo: number }>,
): AsyncGenerator<ReadChange[]> {
  let place = sql`true`;
  if (upTo < Infinity) place = sql`revision <= ${upTo}`;
  for (;;) {
    const { rows } = await sql<ReadChange>`
      select revision, place, kind, object_id, event, priority_before, priority_after from revision_changes
      where org_id = ${orgId} and revision > ${after} and ${place} order by revision desc, place desc limit ${PAGE_SIZE}
    `.execute(db);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    place = sql`(revision, place) < (${last.revision}, ${last.place})`;
    await setImmediate();
  }
}

function createTouched(): Touched {
  return { rule: new Map(), idp: new Map(), zone: new Map(), trustedOrigin: new Map() };
}
