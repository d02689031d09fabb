import { Client } from "pg";
import { until } from "../../../test/support/until.js";

export const POSTGRES_URL = process.env["DATABASE_URL"];

/** Runs `sql` on the database of `DATABASE_URL`, or another one. */
export async function administrate(sql: string, databaseUrl = String(POSTGRES_URL)): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a statement in the database waits for a lock. */
export async function untilBlocked(databaseUrl: string): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await administrate(waiting, databaseUrl)).length > 0);
}
