import { Client } from "pg";

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
