import { CompiledQuery } from "kysely";
import type { DbTransaction, LogEventRow } from "./schema.js";

/*
 * Events are most of what the server writes. Rows of parameters cost both engines half of what an array of JSON does, and
 * Kysely, which would build such a statement node by node, takes longer for that than the engines for the rows.
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
