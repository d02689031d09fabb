import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { Kysely, SqliteDialect, SqliteDriver, type DatabaseConnection, type TransactionSettings } from "kysely";
import {
  MAX_WAITING,
  type ChangeListener,
  type Engine,
  type EngineWatcher,
  type PoolUsage,
} from "../contract/engine.js";
import { SQLITE } from "./sqlite-dialect.js";
import { NO_WATCH, type TurnWatch } from "../../pace/turn-watch.js";
import { createErrorCounts, type ErrorListener } from "../contract/error-counts.js";
import { messageOf, StoreError } from "../contract/errors.js";
import { refusePending, readProgress, runAtOnce } from "../schema/migrate.js";
import type { Db, Tables } from "../contract/schema.js";
import { reuseStatements } from "./sqlite-statements.js";
import { createTurns, UNLIMITED } from "../../pace/turns.js";
import { watchStatements, watchTurns } from "./watch-statements.js";

/** The database in the data folder. */
export const DATABASE_FILE = "etiquette.db";

/** How long a writer waits for earlier ones. An import of 100,000 rules takes a few seconds. */
const WRITE_WAIT_MS = 30_000;

/** How long a reader waits. It waits only while another process opens or closes the file, and blocks the thread. */
const READ_WAIT_MS = 5_000;

const POLL_INTERVAL_MS = 200;

/** A slice blocks the thread. The event loop makes a turn after each. */
const SLICE_MS = 5;

export interface SqliteOptions {
  readonly watch?: TurnWatch | undefined;
  /** See `StoreOptions`. */
  readonly migrate?: boolean | undefined;
}

/**
 * @throws {StoreError} when the file can't be opened, with the reason in one line
 */
export async function openSqlite(
  dataFolder: string,
  { watch = NO_WATCH, migrate = true }: SqliteOptions,
): Promise<Engine> {
  const path = join(dataFolder, DATABASE_FILE);
  makeFile(dataFolder, path);
  const plugins = [watchStatements(watch)];
  const opened: Database.Database[] = [];
  const errors = createErrorCounts();
  try {
    const write = await openConnection(path, 0);
    opened.push(write);
    const writing = new LibsqlDialect(write, errors.note);
    const writer = new Kysely<Tables>({ dialect: writing, plugins });
    const newer = await migrateLocked(write, writer, migrate);

    const [reader, snapshots] = [await openReader(), await openReader()];
    const connections = { reader, snapshots, writer, turns: UNLIMITED };
    const slices = watchTurns(createTurns({ size: 1, share: 1, maxWaiting: MAX_WAITING, rest: setImmediate }), watch);
    return {
      dialect: SQLITE,
      newer,
      own: connections,
      discovery: connections,
      tokens: connections,
      api: connections,
      sliceMs: SLICE_MS,
      slice: (orgId, work, signal) => slices.run(orgId, () => work(reader), signal),
      waiting: () => writing.driver.waiting, // readers wait for nobody
      stats: () => ({ pools: [writing.driver.usage()], refused: slices.refused(), errors: errors.counts }),
      watch: (listener) => pollDataVersion(write, listener),
      async close() {
        for (const db of [reader, snapshots, writer]) await endOf(db);
        await reader.destroy();
        await snapshots.destroy();
        moveToFile(write);
        await writer.destroy();
      },
    };

    async function openReader(): Promise<Db> {
      const database = await openConnection(path, READ_WAIT_MS);
      opened.push(database);
      database.exec("pragma query_only = on");
      return new Kysely<Tables>({ dialect: new LibsqlDialect(database, errors.note), plugins });
    }
  } catch (error) {
    for (const database of opened) database.close();
    throw sqliteOpeningError(path, error);
  }
}

/**
 * Create the folder and the file with access for this user only. SQLite gives its other files the same mode. An
 * existing file is not opened: closing it would drop the locks that other connections of this process hold on it, and
 * other processes would then overwrite data that these connections read (https://sqlite.org/howtocorrupt.html, section
 * 2.2).
 */
function makeFile(dataFolder: string, path: string): void {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) closeSync(openSync(path, "wx", 0o600));
    if (statSync(path).isDirectory()) throw new Error("it is a folder");
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" && existsSync(path)) return; // created by another process
    throw new StoreError(`The database ${path} can't be written: ${messageOf(error)}`);
  }
}

async function openConnection(path: string, timeout: number): Promise<Database.Database> {
  const database = new Database(path, { timeout });
  try {
    // SQLite itself doesn't wait for the lock that a change of the journal mode takes.
    await retryWhileBusy(() => database.exec("pragma journal_mode = wal"));
    database.exec("pragma synchronous = full");
    database.exec("pragma foreign_keys = on");
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * Run all migrations in one transaction. Processes that start at the same time wait for it.
 *
 * @returns the migrations of a newer version that have run
 */
async function migrateLocked(database: Database.Database, db: Db, isWanted: boolean): Promise<readonly string[]> {
  await retryWhileBusy(() => database.exec("begin immediate"));
  try {
    const { pending, newer } = await readProgress(db, SQLITE);
    if (!isWanted) refusePending(pending);
    await runAtOnce(db, SQLITE, pending);
    database.exec("commit");
    return newer;
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

/** Wait for the running transaction. */
async function endOf(db: Db): Promise<void> {
  await db.connection().execute(() => Promise.resolve());
}

/** Move the write-ahead log into the file, so that copying the file is a full backup. */
function moveToFile(database: Database.Database): void {
  try {
    database.exec("pragma wal_checkpoint(truncate)");
  } catch {
    // Another process is using the log. Nothing is lost by leaving it.
  }
}

function sqliteOpeningError(path: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const code = String((error as { code?: unknown }).code);
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
    return new StoreError(`${path} is damaged or no SQLite database: put back a copy, or move it away to start afresh`);
  }
  if (isBusy(error)) return new StoreError(`The database ${path} is locked by another process`);
  return new StoreError(`The database ${path} can't be opened: ${messageOf(error)}`);
}

class LibsqlDialect extends SqliteDialect {
  readonly driver: LibsqlDriver;

  constructor(database: Database.Database, onError: ErrorListener) {
    super({ database });
    this.driver = new LibsqlDriver(database, onError);
  }

  override createDriver(): SqliteDriver {
    return this.driver;
  }
}

class LibsqlDriver extends SqliteDriver {
  /** How many callers wait for the connection. */
  waiting = 0;
  /** When the first of those that wait began to wait for another process: they wait together, not one after the other. */
  #lockedSince: number | undefined;
  #isUsed = false;
  readonly #database: Database.Database;
  readonly #onError: ErrorListener;

  constructor(database: Database.Database, onError: ErrorListener) {
    super({ database: reuseStatements(database, onError) });
    this.#database = database;
    this.#onError = onError;
  }

  usage(): PoolUsage {
    const used = this.#isUsed ? 1 : 0;
    return { pool: "writer", used, idle: 1 - used, waiting: this.waiting };
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.waiting++;
    try {
      const connection = await super.acquireConnection();
      this.#isUsed = true;
      return connection;
    } finally {
      this.waiting--;
    }
  }

  override async releaseConnection(): Promise<void> {
    this.#isUsed = false;
    await super.releaseConnection();
  }

  /**
   * Take the write lock at once: a deferred transaction fails when it writes after another process wrote since its
   * first read. Waits without blocking the thread. The statement is not prepared: a prepared `begin` that failed would
   * stay in progress and block the next commit.
   */
  override async beginTransaction(_connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === "read only" ? "begin" : "begin immediate";
    const deadline = (this.#lockedSince ??= performance.now()) + WRITE_WAIT_MS;
    try {
      await retryWhileBusy(() => this.#database.exec(begin), deadline);
      this.#lockedSince = undefined;
    } catch (error) {
      if (this.waiting === 0) this.#lockedSince = undefined;
      this.#onError(error);
      throw error;
    }
  }

  /** After a full disk or a failed read SQLite has already rolled back; a second rollback would hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.open && this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

async function retryWhileBusy(action: () => unknown, deadline = performance.now() + WRITE_WAIT_MS): Promise<void> {
  for (;;) {
    try {
      await action();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await sleep(5 + Math.random() * 20);
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");
}

/**
 * `data_version` changes when another connection commits. Read on the writer's connection, it shows commits of other
 * processes.
 */
function pollDataVersion(database: Database.Database, listener: ChangeListener): EngineWatcher {
  const statement = database.prepare("pragma data_version");
  let seen = readVersion();

  function readVersion(): number | undefined {
    try {
      return (statement.all()[0] as { data_version: number }).data_version;
    } catch {
      return undefined; // the next reader gets the error
    }
  }

  const timer = setInterval(() => {
    const version = readVersion();
    if (version === seen) return;
    seen = version;
    listener(undefined);
  }, POLL_INTERVAL_MS).unref();

  return {
    ready: () => Promise.resolve(),
    hears: () => true,
    close() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}
