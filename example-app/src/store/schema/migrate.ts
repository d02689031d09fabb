import { Migrator, sql, type Migration } from "kysely";
import type { Dialect } from "../contract/dialect.js";
import { StoreError } from "../contract/errors.js";
import type { Db } from "../contract/schema.js";
import type { Up } from "./migrations/common.js";
import { MIGRATIONS } from "./migrations/index.js";
import { judgeUnknown, newestOf } from "./versions.js";

/** Where Kysely keeps the names of the migrations that have run. */
const MIGRATIONS_TABLE = "kysely_migration";

/**
 * Bring the schema up to date. Several processes may call it at once: all missing migrations run in one transaction,
 * under a lock. A database that is one version newer stays as it is.
 *
 * @param migrations in the order of their names
 * @returns the migrations of a newer version that have run
 * @throws {StoreError} when the database is more than one version newer than the code
 */
export async function migrate(
  db: Db,
  dialect: Dialect,
  migrations: Readonly<Record<string, Up>> = MIGRATIONS,
): Promise<readonly string[]> {
  const names = Object.keys(migrations);
  const applied = await readApplied(db, dialect);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  const { newer, refusal } = judgeUnknown(unknown, newestOf(names));
  if (refusal !== undefined) throw new StoreError(`The database ${refusal}: update the server`);
  if (names.every((name) => applied.includes(name))) return newer;

  const provided = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (transaction) => up(transaction, dialect.filter) },
  ]);
  const getMigrations = () => Promise.resolve(Object.fromEntries(provided));
  const migrator = new Migrator({ db, provider: { getMigrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error as Error;
  return newer;
}

/** The names of the migrations that have run. */
async function readApplied(db: Db, dialect: Dialect): Promise<string[]> {
  const { rows: tables } = await dialect.findTable(MIGRATIONS_TABLE).execute(db);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}
