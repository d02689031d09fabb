import { CompiledQuery } from "kysely";
import type { DbTransaction, LogEventRow } from "./schema.js";

/*
 * Most writes of the server are events. Rows of parameters cost both engines half as much as an array of JSON. Kysely
 * isn't used here: building such a statement node by node takes longer than executing it.
 */

const COLUMNS = [
  "org_id",
  "published",
  "sequence",
  "uuid",
  "event_type",
  "severity",
  "request_id",
  "search_text",
  "event",
] as const satisfies readonly (keyof LogEventRow)[];

const INSERT = `insert into log_events (${COLUMNS.join(", ")}) values `;

export async function insertOnSqlite(transaction: DbTransaction, rows: readonly LogEventRow[]): Promise<void> {
  await insert(transaction, rows, () => "?");
}

export async function insertOnPostgres(transaction: DbTransaction, rows: readonly LogEventRow[]): Promise<void> {
  await insert(transaction, rows, (number) => `$${number}`);
}

async function insert(
  transaction: DbTransaction,
  rows: readonly LogEventRow[],
  placeholder: (number: number) => string,
): Promise<void> {
  let count = 0;
  const places = rows.map(() => `(${COLUMNS.map(() => placeholder(++count)).join(", ")})`);
  const parameters = rows.flatMap((row) => COLUMNS.map((name) => row[name]));
  await transaction.executeQuery(CompiledQuery.raw(INSERT + places.join(", "), parameters));
}
