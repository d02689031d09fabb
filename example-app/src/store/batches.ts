import { sql, type InsertObject } from "kysely";
import type { DbTransaction, Tables } from "./schema.js";
import type { RecordTable } from "./table.js";

/** Keeps the number of parameters of a statement far below the limits of the engines (32,766 and 65,535). */
const BATCH_SIZE = 500;

/** Insert rows, or update those that exist. */
export async function upsertRows<T extends RecordTable>(
  db: DbTransaction,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== "org_id" && column !== "id");
  const excluded = columns.map((column) =>
    table === "users" && column === "revision"
      ? sql`revision = users.revision + 1`
      : sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`,
  );
  for (const batch of batchesOf(rows)) {
    await db
      .insertInto(table)
      .values(batch as InsertObject<Tables, T>[])
      .modifyEnd(sql`on conflict (org_id, id) do update set ${sql.join(excluded)}`)
      .execute();
  }
}

export async function deleteRows(
  db: DbTransaction,
  table: "trusted_origins" | "issuers",
  orgId: string,
  records: readonly { id: string }[],
): Promise<void> {
  for (const batch of batchesOf(records)) {
    const ids = batch.map(({ id }) => id);
    await db.deleteFrom(table).where("org_id", "=", orgId).where("id", "in", ids).execute();
  }
}

export function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}
