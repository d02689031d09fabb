import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { LogEntity } from "../../model/records.js";
import type { RevisionSource } from "../../model/revisions.js";
import type { HistoricRecord, HistoryKind, NotedChange } from "../contract/change-notes.js";
import { measureRow } from "../contract/columns.js";
import type { RevisionChangeRow } from "../contract/log-schema.js";
import type { WriteTransaction } from "../contract/transaction.js";
import { divideRows } from "../records/batches.js";
import { addUsage } from "../records/usage.js";
import { forgetBytes } from "./forgetting.js";

/*
 * The history of an org has a revision for each transaction that changed its rules, identity providers, zones or trusted
 * origins. Of each changed record it keeps what was before. What was after is what was before its next change, or what it is
 * now. So the state at a revision is the present one without all later changes, whatever was forgotten before it.
 */

/** What a revision counts beside its changes, and what each of these counts at least: so an org has some ten thousand. */
const REVISION_BYTES = 1_024;
const CHANGE_BYTES = 512;

/** How many changes a revision lists. */
const MAX_LISTED = 20;

/** Who changed something, and how. */
export interface RevisionAuthor {
  readonly actor: LogEntity;
  readonly ipAddress: string | null;
  readonly requestId: string;
  readonly source: RevisionSource;
  /** The revision whose state came back. */
  readonly restored?: number | undefined;
}

/** Of changes that nobody claims. */
export const SYSTEM: RevisionAuthor = {
  actor: { id: "system", type: "SystemPrincipal", alternateId: "system", displayName: "System", detailEntry: null },
  ipAddress: null,
  requestId: "",
  source: "system",
};

/** A change as the list of revisions shows it. */
export interface ListedChange {
  readonly kind: HistoryKind;
  readonly id: string;
  readonly name: string;
  readonly event: RevisionChangeRow["event"];
}

/**
 * Keep the changes of an org that the transaction has noted and the history doesn't have yet. If there is no room for them,
 * the oldest revisions are forgotten.
 */
export async function recordRevision(
  transaction: WriteTransaction,
  orgId: string,
  author: RevisionAuthor,
): Promise<void> {
  const changes = transaction.changes.take(orgId);
  if (changes.length === 0) return;
  const revision = await transaction.touch(orgId);
  const { db } = transaction;
  const first = await countChanges(transaction, orgId, revision);
  const summary: ListedChange[] = [];
  let size = first === 0 ? REVISION_BYTES : 0;
  for (const batch of divideRows("revision_changes", rowsOf(orgId, revision, first, changes))) {
    await db.insertInto("revision_changes").values(batch).execute();
    for (const row of batch) {
      size += CHANGE_BYTES + measureRow("revision_changes", row);
      const { kind, object_id: id, name, event } = row;
      if (summary.length < MAX_LISTED) summary.push({ kind, id, name, event });
    }
    await setImmediate();
  }
  await writeRevision(transaction, orgId, author, { revision, summary, size, change_count: changes.length });
  const [excess] = await addUsage(transaction, orgId, { historyBytes: size });
  if (excess) await forgetBytes(transaction, orgId, excess.after - excess.limit);
}

type Content = Readonly<{ revision: number; summary: readonly ListedChange[]; size: number; change_count: number }>;

/** A second call in one transaction adds to its revision. */
async function writeRevision(
  { db, now }: WriteTransaction,
  orgId: string,
  { actor, ipAddress, requestId, source, restored }: RevisionAuthor,
  { summary, ...content }: Content,
): Promise<void> {
  const last = await db
    .selectFrom("revisions")
    .select("published")
    .where("org_id", "=", orgId)
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();
  await db
    .insertInto("revisions")
    .values({
      ...content,
      org_id: orgId,
      published: last && last.published > now ? last.published : now,
      source,
      restored: restored ?? null,
      request_id: requestId,
      client_ip: ipAddress,
      actor: JSON.stringify(actor),
      summary: JSON.stringify(summary),
    })
    .onConflict((conflict) =>
      conflict.columns(["org_id", "revision"]).doUpdateSet({
        change_count: sql`revisions.change_count + excluded.change_count`,
        size: sql`revisions.size + excluded.size`,
      }),
    )
    .execute();
}

/** How many changes the revision has already. */
async function countChanges({ db }: WriteTransaction, orgId: string, revision: number): Promise<number> {
  const row = await db
    .selectFrom("revisions")
    .select("change_count")
    .where("org_id", "=", orgId)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return row?.change_count ?? 0;
}

function* rowsOf(
  orgId: string,
  revision: number,
  first: number,
  changes: readonly NotedChange[],
): Generator<RevisionChangeRow> {
  for (const [i, { kind, before, after }] of changes.entries()) {
    const record = after ?? before;
    if (!record) continue;
    yield {
      ...{ org_id: orgId, revision, place: first + i, kind },
      ...{ object_id: record.id, name: record.name, event: eventOf(before, after) },
      priority_before: priorityOf(before),
      priority_after: priorityOf(after),
      before: before ? JSON.stringify(before) : null,
    };
  }
}

type MaybeRecord = HistoricRecord | null | undefined;

export function eventOf(before: MaybeRecord, after: MaybeRecord): RevisionChangeRow["event"] {
  if (!before) return "create";
  if (!after) return "delete";
  const isMoved = priorityOf(before) !== priorityOf(after);
  return isMoved && isSameContent({ ...before, priority: 0 }, { ...after, priority: 0 }) ? "move" : "update";
}

/** Whether two states of a record differ in nothing but the date of the last change. */
export function isSameContent(a: object | null | undefined, b: object | null | undefined): boolean {
  return isDeepStrictEqual(a && { ...a, lastUpdated: "" }, b && { ...b, lastUpdated: "" });
}

function priorityOf(record: MaybeRecord): number | null {
  return record && "priority" in record ? record.priority : null;
}
