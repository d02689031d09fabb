import Database from "libsql";
import { Client } from "pg";
import type { FilterDialect, FilterSql } from "../../lib/filter/index.js";

/** A database of the tests, with one connection. */
export interface TestDatabase {
  readonly dialect: FilterDialect;
  run(sql: string, parameters?: readonly unknown[]): Promise<void>;
  all<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
  /** What the planner says about a statement. */
  explain(sql: string, parameters: readonly unknown[]): Promise<string>;
  close(): Promise<void>;
}

export interface DatabaseUnderTest {
  readonly name: string;
  readonly available: boolean;
  /** What it takes to have it. */
  readonly need: string;
  readonly open: () => Promise<TestDatabase>;
}

export const DATABASES: readonly DatabaseUnderTest[] = [
  { name: "SQLite", available: true, need: "libsql", open: openSqlite },
  {
    name: "PostgreSQL",
    available: Boolean(process.env["DATABASE_URL"]),
    need: "DATABASE_URL, the address of a PostgreSQL database",
    open: openPostgresql,
  },
];

/** The ids of the rows of `table` for which `condition` holds, in order. */
export async function selectIds(database: TestDatabase, table: string, condition: FilterSql): Promise<string[]> {
  const statement = `SELECT id FROM ${table} WHERE ${condition.sql}`;
  const rows = await database.all<{ id: string }>(statement, condition.parameters);
  return rows.map(({ id }) => id).sort();
}

function openSqlite(): Promise<TestDatabase> {
  const database = new Database(":memory:");
  return Promise.resolve({
    dialect: "sqlite",
    run(sql, parameters = []) {
      database.prepare(sql).run(...parameters);
      return Promise.resolve();
    },
    all(sql, parameters = []) {
      return Promise.resolve(database.prepare(sql).all(...parameters) as never[]);
    },
    explain(sql, parameters) {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      return Promise.resolve(rows.map(({ detail }) => detail).join("\n"));
    },
    close() {
      database.close();
      return Promise.resolve();
    },
  });
}

/** Tables of a test are temporary: nothing stays in the database. */
async function openPostgresql(): Promise<TestDatabase> {
  // just-in-time compilation takes longer than statements of 200 terms do
  const client = new Client({ connectionString: process.env["DATABASE_URL"], options: "-c jit=off" });
  await client.connect();
  return {
    dialect: "postgresql",
    async run(sql, parameters = []) {
      await client.query(sql, [...parameters]);
    },
    async all(sql, parameters = []) {
      const { rows } = await client.query(sql, [...parameters]);
      return rows as never[];
    },
    async explain(sql, parameters) {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (COSTS OFF) ${sql}`, [...parameters]);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    },
    close: () => client.end(),
  };
}
