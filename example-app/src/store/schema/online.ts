import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import type { Dialect } from "../contract/dialect.js";
import { messageOf, StoreError } from "../contract/errors.js";
import type { Db } from "../contract/schema.js";
import { buildIndex } from "./build-index.js";
import { isDistributed, type Report } from "./distribution.js";
import { changeOf, readProgress, record, runAtOnce, type Migrations } from "./migrate.js";
import { MIGRATIONS } from "./migrations/index.js";
import { refuseOldNodes } from "./nodes.js";
import { withShortLocks, type Patience } from "./short-locks.js";
import { newestOf, versionOf } from "./versions.js";

/** The number that Kysely locks, as earlier versions of the server did. */
const MIGRATION_LOCK = 3_853_314_791_062_309_107n;

/** How often it is asked whether another process still migrates, and for how long at most. In milliseconds. */
const LOCK_PAUSE_MS = 200;
const LOCK_PATIENCE_MS = 600_000;

/**
 * How long a change waits for the tables that it needs. Whoever uses them meanwhile waits for one try at most. On Citus a
 * change needs the tables of all nodes.
 */
const PATIENCE: Patience = { tryMs: 100, totalMs: 300_000 };
const CITUS_PATIENCE: Patience = { ...PATIENCE, tryMs: 300 };

export interface OnlineOptions {
  /** @default those of the server */
  readonly migrations?: Migrations | undefined;
  /** @default tells nobody */
  readonly report?: Report | undefined;
}

/**
 * Run the migrations that are missing on PostgreSQL, while servers use the database. Those of version 1 run in one
 * transaction. Each later one is a step: what a process that is killed has begun, the next one goes on with.
 *
 * @param db with three connections to PostgreSQL itself, without a time limit
 * @param after called while no other process migrates, also when nothing was missing
 * @throws {StoreError} when the database is too new, or nodes are too old, or a step can't get a table
 */
export async function migrateOnline(
  db: Db,
  dialect: Dialect,
  { migrations = MIGRATIONS, report = ignore }: OnlineOptions,
  after: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  for (let isTold = false; ;) {
    const isDone = await db.transaction().execute(async (transaction) => {
      if (!(await lock(transaction))) return false;
      await migrateLocked(db, dialect, { migrations, report });
      await after();
      return true;
    });
    if (isDone) return;
    if (performance.now() > deadline) throw new StoreError("Another process has been changing the schema for too long");
    if (!isTold) report("Another process changes the schema; waiting for it");
    isTold = true;
    await setTimeout(LOCK_PAUSE_MS); // in no statement: an index is not ready before all statements have ended
  }
}

/** Until the end of the transaction. The work needs other transactions, and some of it none. */
async function lock(transaction: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}) as locked
  `.execute(transaction);
  return rows[0]?.locked === true;
}

async function migrateLocked(
  db: Db,
  dialect: Dialect,
  { migrations, report }: Readonly<{ migrations: Migrations; report: Report }>,
): Promise<void> {
  const { applied, pending } = await readProgress(db, dialect, migrations);
  if (applied.length > 0 && pending.length > 0) await refuseOldNodes(db, newestOf(Object.keys(migrations)));
  const first = pending.filter((name) => versionOf(name) === 1);
  await db.transaction().execute((transaction) => runAtOnce(transaction, dialect, first, migrations));
  const patience = (await isDistributed(db)) ? CITUS_PATIENCE : PATIENCE;
  for (const name of pending.filter((name) => !first.includes(name))) {
    const start = performance.now();
    try {
      await runStep(db, dialect, { name, migrations, patience });
    } catch (error) {
      throw new StoreError(`The migration ${name} ended, and can be started again: ${messageOf(error)}`);
    }
    report(`${name}: done in ${Math.round(performance.now() - start)} ms`);
  }
}

async function runStep(
  db: Db,
  dialect: Dialect,
  { name, migrations, patience }: Readonly<{ name: string; migrations: Migrations; patience: Patience }>,
): Promise<void> {
  const migration = migrations[name];
  if (migration === undefined) return;
  const database = dialect.filter;
  if ("index" in migration) {
    await buildIndex(db, migration.index, patience);
    await record(db, name);
  } else if ("batch" in migration) {
    await runBatches(db, patience, (transaction) => migration.batch(transaction as never, database));
    await record(db, name);
  } else {
    await withShortLocks(db, patience, async (transaction) => {
      await changeOf(migration)(transaction as never, database);
      await record(transaction, name);
    });
  }
}

/** Between two batches the others get as much time as one took. */
async function runBatches(db: Db, patience: Patience, batch: (transaction: Db) => Promise<number>): Promise<void> {
  for (;;) {
    const start = performance.now();
    if ((await withShortLocks(db, patience, batch)) === 0) return;
    await setTimeout(performance.now() - start);
  }
}

function ignore(): void {
  // nobody watches a start
}
