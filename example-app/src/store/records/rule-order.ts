import { setImmediate } from "node:timers/promises";
import { sql, type RawBuilder } from "kysely";
import { BATCH_BYTES, BATCH_SIZE, batchesInTurns, divideBySize } from "./batches.js";
import { bytesOf } from "../contract/columns.js";
import type { Db, DbTransaction, RuleRow } from "../contract/schema.js";

/*
 * The rules of an org have the priorities 1 to n, the default rule last. Each rule also has a position, which sorts the
 * rules in the same order and does not change when other rules are added or removed. A reader who pages by position
 * sees each rule once. Call these functions after `touch(orgId)`, so that no other transaction moves rules at the same
 * time.
 */

/** The priority of the default rule, which equals the number of rules. */
export async function findLastPriority(db: Db, orgId: string): Promise<number> {
  const row = await db
    .selectFrom("rules")
    .select("priority")
    .where("org_id", "=", orgId)
    .where("system", "=", 1)
    .executeTakeFirstOrThrow();
  return row.priority;
}

/**
 * Make room for a new rule: move the rules from `priority` on one place back.
 *
 * @returns the new rule's position
 */
export async function openPlace(db: DbTransaction, orgId: string, priority: number): Promise<number> {
  const position = await findPosition(db, orgId, priority - 1);
  await shift(db, orgId, { from: priority, by: 1 });
  return position;
}

/** Close the gap after removing the rule at `priority`. */
export async function closePlace(db: DbTransaction, orgId: string, priority: number): Promise<void> {
  await shift(db, orgId, { from: priority + 1, by: -1 });
}

/** Move a rule aside and make room for it at `priority`. The caller then writes the rule there. */
export async function movePlace(
  db: DbTransaction,
  orgId: string,
  { id, priority: current }: Readonly<Pick<RuleRow, "id" | "priority">>,
  priority: number,
): Promise<void> {
  const forward = priority < current;
  const position = await findPosition(db, orgId, forward ? priority - 1 : priority);
  await db
    .updateTable("rules")
    .set({ priority: 0, position })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .execute();
  if (forward) await shift(db, orgId, { from: priority, to: current - 1, by: 1 });
  else await shift(db, orgId, { from: current + 1, to: priority, by: -1 });
}

/** A position after the rule at `priority` and before the next one, or at either end. */
async function findPosition(db: DbTransaction, orgId: string, priority: number): Promise<number> {
  const rows = await db
    .selectFrom("rules")
    .select(["priority", "position"])
    .where("org_id", "=", orgId)
    .where("system", "=", 0)
    .where("priority", "in", [priority, priority + 1])
    .execute();
  const before = rows.find((row) => row.priority === priority)?.position;
  const behind = rows.find((row) => row.priority === priority + 1)?.position;
  if (behind === undefined) return (before ?? 0) + 1;
  if (before === undefined) return behind - 1;

  const middle = (before + behind) / 2;
  if (before < middle && middle < behind) return middle;
  // No number is left between two rules, because many were inserted there: space them out again.
  await resetPositions(db, orgId);
  return priority + 0.5;
}

/** Uses negative priorities in between, because two rows must never have the same priority. */
async function shift(
  db: DbTransaction,
  orgId: string,
  { from, to, by }: Readonly<{ from: number; to?: number; by: 1 | -1 }>,
): Promise<void> {
  const rules = db.updateTable("rules").where("org_id", "=", orgId);
  let moved = rules.set({ priority: sql`-(priority + ${sql.lit(by)})` }).where("priority", ">=", from);
  if (to !== undefined) moved = moved.where("priority", "<=", to);
  await moved.execute();
  await rules
    .set({ priority: sql`-priority` })
    .where("priority", "<", 0)
    .execute();
}

/** Move rules aside before they are rewritten: a rule may take the place of one that is written later. */
export async function clearPlaces(db: DbTransaction, orgId: string, rules: readonly { id: string }[]): Promise<void> {
  for await (const batch of batchesInTurns(rules)) {
    const ids = batch.map(({ id }) => id);
    await rewrite(db, orgId, sql`id in (${sql.join(ids)})`, sql`priority = -priority`);
  }
}

/** Derive every rule's position from its priority. */
export async function resetPositions(db: DbTransaction, orgId: string): Promise<void> {
  const moved = sql`position <> priority`;
  while ((await rewrite(db, orgId, moved, sql`position = priority`)) > 0);
}

/** Change the first of the rules for which this holds. SQLite writes all of a row that changes, so its bytes count. */
async function rewrite(
  db: DbTransaction,
  orgId: string,
  where: RawBuilder<unknown>,
  change: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ id: string; size: number }>`
    select id, ${bytesOf("rules")} as size from rules where org_id = ${orgId} and ${where} limit ${BATCH_SIZE}
  `.execute(db);
  for (const part of divideBySize(rows, BATCH_BYTES)) {
    const ids = sql.join(part.map(({ id }) => id));
    await sql`update rules set ${change} where org_id = ${orgId} and id in (${ids})`.execute(db);
    await setImmediate();
  }
  return rows.length;
}
