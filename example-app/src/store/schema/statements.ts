import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
} from "kysely";
import { runWhole } from "./migrate.js";
import type { Database, Migration } from "./migrations/common.js";

/** Kysely without a database: it writes SQL, and finds no rows. */
const WRITERS: Readonly<Record<Database, Dialect>> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgresql: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
};

/** The SQL of a migration, as far as it does not depend on rows: each statement in a line, with its parameters. */
export async function listStatements(migration: Migration, database: Database): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<never>({
    dialect: WRITERS[database],
    log: ({ query }) => {
      const text = query.sql.replace(/\s+/g, " ").trim();
      statements.push(query.parameters.length === 0 ? text : `${text} ${JSON.stringify(query.parameters)}`);
    },
  });
  await runWhole(db, database, migration);
  return statements;
}

/** The tables that a statement names where it changes or reads them, except those that it makes. */
export function tablesOf(statement: string): string[] {
  const names = statement.matchAll(/\b(?:alter table|on|update|from|join|into)(?: only)? "?(\w+)"?/g);
  return [...names].map(([, name = ""]) => name);
}
