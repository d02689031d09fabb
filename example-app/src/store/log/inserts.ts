import { CompiledQuery } from "kysely";
import type { LogColumns, LogStart } from "../contract/dialect.js";
import type { DbTransaction } from "../contract/schema.js";

/*
 * Most writes of the server are events. Rows of parameters cost both engines half as much as an array of JSON. Kysely
 * isn't used here: building such a statement node by node takes longer than executing it.
 */

const COLUMNS = [
  "uuid",
  "event_type",
  "severity",
  "request_id",
  "search_text",
  "event",
  "decision_id",
] as const satisfies readonly (keyof LogColumns)[];

/** Without spaces between the values: SQLite keeps a statement of 100 rows only if it is short. */
const INSERT = `insert into log_events (org_id, published, sequence, ${COLUMNS.join(", ")}) values `;

export async function insertOnSqlite(transaction: DbTransaction, start: LogStart, rows: readonly LogColumns[]) {
  const values = COLUMNS.map(() => "?").join(","); // numbered after ?3
  await insert(transaction, start, rows, (index) => `(?1,?2,?3+${index},${values})`);
}

export async function insertOnPostgres(transaction: DbTransaction, start: LogStart, rows: readonly LogColumns[]) {
  await insert(transaction, start, rows, (index) => {
    const values = COLUMNS.map((_, place) => `$${4 + index * COLUMNS.length + place}`);
    return `($1, $2, $3::bigint + ${index}, ${values.join(", ")})`;
  });
}

/** @param format the values of the row with that index */
async function insert(
  transaction: DbTransaction,
  { orgId, published, sequence }: LogStart,
  rows: readonly LogColumns[],
  format: (index: number) => string,
): Promise<void> {
  const text = INSERT + rows.map((_, index) => format(index)).join(", ");
  const parameters = [orgId, published, sequence, ...rows.flatMap((row) => COLUMNS.map((name) => row[name]))];
  await transaction.executeQuery(CompiledQuery.raw(text, parameters));
}
