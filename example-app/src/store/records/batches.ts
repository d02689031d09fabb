import { setImmediate } from "node:timers/promises";
import { sql, type InsertObject } from "kysely";
import { bytesOf, measureRow } from "../contract/columns.js";
import type { DbTransaction, Tables, UserRow } from "../contract/schema.js";
import type { RecordTable } from "./table.js";
import { removeWords, writeWords } from "./user-words.js";
import type { WriteTransaction } from "../contract/transaction.js";

/** What one statement reads or writes, in one turn of the event loop: some milliseconds, if it is not long. */
export const BATCH_SIZE = 50;

/** The most bytes that it reads or writes, if it is more than one row. */
export const BATCH_BYTES = 1 << 18;

/** Insert rows, or update those that exist. */
export async function upsertRows<T extends RecordTable>(
  { db, dialect }: Pick<WriteTransaction, "db" | "dialect">,
  table: T,
  rows: Iterable<Tables[T]>,
): Promise<void> {
  for (const batch of divideRows(table, rows)) {
    if (table === "users") {
      await writeWords({ db, dialect }, batch as UserRow[]);
      await setImmediate();
    }
    await upsertBatch(db, table, batch);
    await setImmediate();
  }
}

/** Rows are taken when their batch is written. */
export function* divideRows<Row extends object>(table: string, rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = measureRow(table, row);
    if (batch.length === BATCH_SIZE || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

async function upsertBatch<T extends RecordTable>(db: DbTransaction, table: T, batch: Tables[T][]): Promise<void> {
  const columns = Object.keys(batch[0] ?? {}).filter((column) => column !== "org_id" && column !== "id");
  const excluded = columns.map((column) =>
    table === "users" && (column === "revision" || column === "words_revision")
      ? sql`${sql.ref(column)} = users.revision + 1`
      : sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`,
  );
  await db
    .insertInto(table)
    .values(batch as InsertObject<Tables, T>[])
    .modifyEnd(sql`on conflict (org_id, id) do update set ${sql.join(excluded)}`)
    .execute();
}

export async function deleteRows(
  db: DbTransaction,
  table: RecordTable,
  orgId: string,
  records: readonly { id: string }[],
): Promise<void> {
  for (const batch of batchesOf(records)) {
    const ids = sql.join(batch.map(({ id }) => id));
    const { rows } = await sql<{ id: string; size: number }>`
      select id, ${bytesOf(table)} as size from ${sql.table(table)} where org_id = ${orgId} and id in (${ids})
    `.execute(db);
    for (const part of divideBySize(rows, BATCH_BYTES)) {
      const found = part.map(({ id }) => id);
      const removed = db.deleteFrom(table).where("org_id", "=", orgId).where("id", "in", found);
      if (table === "users") await removeWords(db, orgId, await removed.returning(["id", "words"]).execute());
      else await removed.execute();
      await setImmediate();
    }
  }
}

/** Each batch in a turn of the event loop of its own. */
export async function* batchesInTurns<T>(items: readonly T[]): AsyncGenerator<T[]> {
  for (const batch of batchesOf(items)) {
    yield batch;
    await setImmediate();
  }
}

export function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}

/** Parts that have at most so much together, or one element. */
export function divideBySize<T extends { readonly size: number }>(elements: readonly T[], most: number): T[][] {
  const parts: T[][] = [];
  let sum = Infinity;
  for (const element of elements) {
    sum += element.size;
    if (sum <= most) parts.at(-1)?.push(element);
    else {
      parts.push([element]);
      sum = element.size;
    }
  }
  return parts;
}
