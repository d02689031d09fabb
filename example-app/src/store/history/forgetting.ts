import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { OwnDatabase, WriteTransaction } from "../contract/transaction.js";
import { BATCH_BYTES, BATCH_SIZE, divideBySize } from "../records/batches.js";
import { lockOrg } from "../records/orgs.js";
import { addUsage } from "../records/usage.js";

const DAY_MS = 86_400_000;

/** Forget the oldest revisions that have so many bytes together. */
export async function forgetBytes(transaction: WriteTransaction, orgId: string, bytes: number): Promise<void> {
  for (let left = bytes; left > 0;) {
    const oldest = await findOldest(transaction, orgId);
    if (oldest.length === 0) return;
    let sum = 0;
    const count = oldest.findIndex(({ size }) => (sum += size) >= left) + 1;
    left -= await forget(transaction, orgId, count === 0 ? oldest : oldest.slice(0, count));
  }
}

/** Forget the revisions that were made more than `days` ago, in small transactions, until `isStopped`. */
export async function expireHistory(
  store: Pick<OwnDatabase, "write">,
  days: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const startOf = (now: string): string => new Date(Date.parse(now) - days * DAY_MS).toISOString();
  for (;;) {
    const orgIds = await store.write((transaction) => findExpired(transaction, startOf(transaction.now)));
    if (orgIds.length === 0) return;
    for (const orgId of orgIds) {
      if (isStopped()) return;
      await store.write(async (transaction) => {
        await lockOrg(transaction, orgId);
        const oldest = await findOldest(transaction, orgId);
        const expired = oldest.filter(({ published }) => published < startOf(transaction.now));
        await forget(transaction, orgId, expired);
      });
      await setImmediate();
    }
  }
}

/** Some orgs with revisions that were made before this time. */
async function findExpired({ db }: WriteTransaction, before: string): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`
    select org_id from org_revisions where exists (
      select 1 from revisions where revisions.org_id = org_revisions.org_id and published < ${before}
    ) limit ${BATCH_SIZE}
  `.execute(db);
  return rows.map(({ org_id: orgId }) => orgId);
}

interface Oldest {
  readonly revision: number;
  readonly published: string;
  readonly size: number;
}

function findOldest({ db }: WriteTransaction, orgId: string): Promise<Oldest[]> {
  return db
    .selectFrom("revisions")
    .select(["revision", "published", "size"])
    .where("org_id", "=", orgId)
    .orderBy("revision")
    .limit(BATCH_SIZE)
    .execute();
}

/** @returns the bytes of the revisions, which are the oldest ones */
async function forget(transaction: WriteTransaction, orgId: string, oldest: readonly Oldest[]): Promise<number> {
  const last = oldest.at(-1)?.revision;
  if (last === undefined) return 0;
  const { db } = transaction;
  while (await forgetChanges(transaction, orgId, last)) await setImmediate();
  await db.deleteFrom("revisions").where("org_id", "=", orgId).where("revision", "<=", last).execute();
  const size = oldest.reduce((sum, row) => sum + row.size, 0);
  await addUsage(transaction, orgId, { historyBytes: -size });
  return size;
}

/** @returns whether more may be left */
async function forgetChanges({ db }: WriteTransaction, orgId: string, last: number): Promise<boolean> {
  const { rows } = await sql<{ revision: number; place: number; size: number }>`
    select revision, place, coalesce(octet_length(before), 0) as size from revision_changes
    where org_id = ${orgId} and revision <= ${last} order by revision, place limit ${BATCH_SIZE}
  `.execute(db);
  for (const part of divideBySize(rows, BATCH_BYTES)) {
    const end = part.at(-1);
    if (!end) continue;
    await sql`
      delete from revision_changes where org_id = ${orgId} and (revision, place) <= (${end.revision}, ${end.place})
    `.execute(db);
    await setImmediate();
  }
  return rows.length === BATCH_SIZE;
}
