import { sql } from "kysely";
import { batchesOf } from "./batches.js";
import type { DbTransaction } from "./schema.js";

/*
 * The rules of an org stand at the priorities 1 to n, the default rule last. Each has a position too, which sorts them
 * the same way and does not change when others come and go: a reader who walks the list by position sees each rule once.
 * Call these functions after `touch(orgId)`, so that nobody else moves rules meanwhile.
 */

/** A place in the order. */
export interface RulePlace {
  priority: number;
  position: number;
}

/** The priority of the default rule, which is the number of rules. */
export async function findLastPriority(db: DbTransaction, orgId: string): Promise<number> {
  const row = await db
    .selectFrom("rules")
    .select("priority")
    .where("org_id", "=", orgId)
    .where("system", "=", 1)
    .executeTakeFirstOrThrow();
  return row.priority;
}

/** Make room for a new rule: the rules from `priority` on stand one further back. */
export async function openPlace(db: DbTransaction, orgId: string, priority: number): Promise<RulePlace> {
  const position = await findPosition(db, orgId, priority - 1);
  await shift(db, orgId, { from: priority, by: 1 });
  return { priority, position };
}

/** Close the gap that a rule left at `priority`. */
export async function closePlace(db: DbTransaction, orgId: string, priority: number): Promise<void> {
  await shift(db, orgId, { from: priority + 1, by: -1 });
}

/** Move a rule out of its way and make room for it at `priority`, which is the caller's to write. */
export async function movePlace(
  db: DbTransaction,
  orgId: string,
  { id, priority: current }: Readonly<{ id: string; priority: number }>,
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

/** A position between the rule at `priority` and the one that follows it, or at either end. */
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
  // As often as a number can be halved, rules were put between the same two: space them out again.
  await db
    .updateTable("rules")
    .set({ position: sql`priority` })
    .where("org_id", "=", orgId)
    .execute();
  return priority + 0.5;
}

/** By way of negative priorities, for no two rows may have the same one at any time. */
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

/** Move rules that are to be written anew out of the way: one may take the place of another that comes later. */
export async function clearPlaces(db: DbTransaction, orgId: string, rules: readonly { id: string }[]): Promise<void> {
  for (const batch of batchesOf(rules)) {
    await db
      .updateTable("rules")
      .set({ priority: sql`-priority` })
      .where("org_id", "=", orgId)
      .where(
        "id",
        "in",
        batch.map(({ id }) => id),
      )
      .execute();
  }
}

/** Put every rule at the position of its priority. */
export async function resetPositions(db: DbTransaction, orgId: string): Promise<void> {
  await db
    .updateTable("rules")
    .set({ position: sql`priority` })
    .where("org_id", "=", orgId)
    .execute();
}
