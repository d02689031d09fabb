import { sql } from "kysely";
import type { Dialect } from "../contract/dialect.js";
import { StoreError } from "../contract/errors.js";
import type { Db } from "../contract/schema.js";
import type { ContractStep, Database, Migration, Up } from "./migrations/common.js";
import { MIGRATIONS } from "./migrations/index.js";
import { judgeUnknown, newestOf } from "./versions.js";

/** The names of the migrations that have run; Kysely's migrator made it for earlier versions. */
const MIGRATIONS_TABLE = "kysely_migration";

/** Migrations by their names, in their order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** How far a database is from this code. */
export interface Progress {
  /** Migrations that have run. */
  readonly applied: readonly string[];
  /** Those that have not, in their order. */
  readonly pending: readonly string[];
  /** Those of a newer version that have run. */
  readonly newer: readonly string[];
}

/** @throws {StoreError} when the database is more than one version newer than the code */
export async function readProgress(db: Db, dialect: Dialect, migrations: Migrations = MIGRATIONS): Promise<Progress> {
  const names = Object.keys(migrations);
  const applied = await readApplied(db, dialect);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  const { newer, refusal } = judgeUnknown(unknown, newestOf(names));
  if (refusal !== undefined) throw new StoreError(`The database ${refusal}: update the server`);
  return { applied, pending: names.filter((name) => !applied.includes(name)), newer };
}

/** @throws {StoreError} when migrations are missing that somebody else is to run */
export function refusePending(pending: readonly string[]): void {
  if (pending.length === 0) return;
  throw new StoreError(`The database lacks ${pending.join(", ")}: run the command migrate before the server starts`);
}

async function readApplied(db: Db, dialect: Dialect): Promise<string[]> {
  const { rows: tables } = await dialect.findTable(MIGRATIONS_TABLE).execute(db);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Run migrations one after the other. Without other users of the database, in the transaction of the caller.
 *
 * @param names in their order
 */
export async function runAtOnce(
  db: Db,
  dialect: Dialect,
  names: readonly string[],
  migrations: Migrations = MIGRATIONS,
): Promise<void> {
  if (names.length === 0) return;
  await sql`
    create table if not exists ${sql.table(MIGRATIONS_TABLE)}
      (name varchar(255) not null primary key, timestamp varchar(255) not null)
  `.execute(db);
  for (const name of names) {
    const migration = migrations[name];
    if (migration) await runWhole(db, dialect.filter, migration);
    await record(db, name);
  }
}

/** Run a migration in one go, as is right while nobody else uses the database. */
export async function runWhole(db: Db, database: Database, migration: Migration): Promise<void> {
  if ("index" in migration) {
    const { name, table, columns, where } = migration.index;
    const keys = sql.join(columns.map((column) => sql.ref(column)));
    const condition = where ? sql` where ${sql.raw(where[database])}` : sql``;
    await sql`create index ${sql.ref(name)} on ${sql.table(table)} (${keys})${condition}`.execute(db);
  } else if ("batch" in migration) {
    while ((await migration.batch(db as never, database)) > 0);
  } else {
    await changeOf(migration)(db as never, database);
  }
}

/** Note that a migration has run. */
export async function record(db: Db, name: string): Promise<void> {
  const timestamp = sql`${new Date().toISOString()}`;
  await sql`insert into ${sql.table(MIGRATIONS_TABLE)} (name, timestamp) values (${name}, ${timestamp})`.execute(db);
}

/** What changes tables. */
export function changeOf(migration: Up | ContractStep): Up {
  return typeof migration === "function" ? migration : migration.contract;
}
