import { Migrator, sql, type Migration } from "kysely";
import type { Dialect } from "../contract/dialect.js";
import { messageOf, StoreError } from "../contract/errors.js";
import type { Db } from "../contract/schema.js";
import type { Up } from "./migrations/common.js";
import { MIGRATIONS } from "./migrations/index.js";

/** Where Kysely keeps the names of the migrations that have run. */
const MIGRATIONS_TABLE = "kysely_migration";

/** Kysely's message when the database has a migration that this code doesn't know. */
const UNKNOWN_MIGRATION_REGEXP = /previously executed migration (\S+) is missing/;

/**
 * Bring the schema up to date. Several processes may call it at once: all missing migrations run in one transaction,
 * under a lock.
 *
 * @param migrations in the order of their names
 * @throws {StoreError} when the database is newer than the code
 */
export async function migrate(
  db: Db,
  dialect: Dialect,
  migrations: Readonly<Record<string, Up>> = MIGRATIONS,
): Promise<void> {
  if (await haveRun(db, dialect, Object.keys(migrations))) return;
  const provided = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (transaction) => up(transaction, dialect.filter) },
  ]);
  const getMigrations = () => Promise.resolve(Object.fromEntries(provided));
  const migrator = new Migrator({ db, provider: { getMigrations } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;

  const unknown = UNKNOWN_MIGRATION_REGEXP.exec(messageOf(error))?.[1];
  if (unknown === undefined) throw error as Error;
  throw new StoreError(
    `The database was made by a newer version of the server (it has the migration ${unknown}): update the server`,
  );
}

/** Whether these migrations have run and no others. Kysely reads all columns of all tables before it knows. */
async function haveRun(db: Db, dialect: Dialect, names: readonly string[]): Promise<boolean> {
  const { rows: tables } = await dialect.findTable(MIGRATIONS_TABLE).execute(db);
  if (tables.length === 0) return false;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)}`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return applied.size === names.length && names.every((name) => applied.has(name));
}
