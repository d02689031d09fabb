import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  sql,
  type DatabaseConnection,
  type PostgresDialectConfig,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type { ClientConfig } from "pg";
import { NO_WATCH, type TurnWatch } from "../../pace/turn-watch.js";
import { MAX_WAITING, type Connections, type PoolUsage } from "../contract/engine.js";
import type { ErrorListener } from "../contract/error-counts.js";
import { shareConnections } from "./postgres-connections.js";
import type { Db, Tables } from "../contract/schema.js";
import { createTurns } from "../../pace/turns.js";
import { watchStatements, watchTurns } from "./watch-statements.js";

/** How long a caller waits for its turn. Without it, callers would wait for each other while the database hangs. */
export const PATIENCE_MS = 5_000;

export interface PoolOptions {
  /** What its connections are for. */
  readonly name: string;
  readonly size: number;
  /** How long a statement may run, in milliseconds; 0 for no limit. */
  readonly timeout: number;
  /**
   * More settings of its sessions.
   *
   * @default {}
   */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with each error of a query, or of an attempt to connect. */
  readonly onError: ErrorListener;
  /**
   * Whether a connection may lead to another session in each transaction, as with PgBouncer. The settings are then sent
   * with each transaction only, and single statements run in one, too.
   */
  readonly isPooled: boolean;
  /** @default NO_WATCH */
  readonly watch?: TurnWatch | undefined;
}

/** Connections for one purpose, and how they are used. */
export interface NamedConnections extends Connections {
  readonly usage: () => PoolUsage;
  /** See `SharedConnections`. */
  readonly suspect: () => () => void;
}

/** Open connections that orgs use in turns: each at most half of them at once. */
export function openPool(
  connection: ClientConfig,
  { name, size, timeout, settings: more, onError, isPooled, watch = NO_WATCH }: PoolOptions,
): NamedConnections {
  const settings = { jit: "off", statement_timeout: String(timeout), ...more }; // to compile a long filter takes seconds
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const session = isPooled ? {} : { options: options.join(" ") };
  const pool = shareConnections({ ...connection, ...session, max: size }, onError);
  const createDriver = () => (isPooled ? new TransactionDriver({ pool }, settings) : new PostgresDriver({ pool }));
  const db = new Kysely<Tables>({
    dialect: new DriverDialect({ pool }, createDriver),
    plugins: [watchStatements(watch)],
  });
  const share = Math.ceil(size / 2);
  const turns = watchTurns(createTurns({ size, share, maxWaiting: MAX_WAITING, patience: PATIENCE_MS }), watch);
  const usage = (): PoolUsage => {
    const { used, idle, waiting } = pool.usage();
    return { pool: name, used, idle, waiting: waiting + turns.waiting() };
  };
  return { reader: db, snapshots: db, writer: db, turns, usage, suspect: () => pool.suspect() };
}

/**
 * Run reads in one transaction. When `signal` is aborted, the statement that runs is cancelled. The connection is not
 * used again before that is done, so no other statement is.
 */
export function readCancellable<T>(
  db: Db,
  work: (db: Db) => Promise<T>,
  { own, signal }: Readonly<{ own: Pick<Connections, "reader">; signal: AbortSignal | undefined }>,
): Promise<T> {
  const reads = db.transaction().setAccessMode("read only");
  if (!signal) return reads.execute(work);
  return reads.execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    let cancelling: Promise<unknown> | undefined;
    const cancel = () => {
      cancelling = sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(own.reader).catch(ignore);
    };
    signal.throwIfAborted();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await work(transaction);
    } finally {
      signal.removeEventListener("abort", cancel);
      await cancelling;
    }
  });
}

class DriverDialect extends PostgresDialect {
  readonly #create: () => PostgresDriver;

  constructor(config: PostgresDialectConfig, create: () => PostgresDriver) {
    super(config);
    this.#create = create;
  }

  override createDriver(): PostgresDriver {
    return this.#create();
  }

  override createAdapter(): PostgresAdapter {
    return new LockFreeAdapter();
  }
}

/** Whoever migrates takes the lock: Kysely's is one of the session. */
class LockFreeAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {
    // see above
  }

  override async releaseMigrationLock(): Promise<void> {
    // see above
  }
}

type Execute = DatabaseConnection["executeQuery"];

/** Needs nothing of the session behind a connection: every transaction begins with the settings, and every statement is in one. */
class TransactionDriver extends PostgresDriver {
  readonly #settings: string;
  readonly #known = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();

  constructor(config: PostgresDialectConfig, settings: Readonly<Record<string, string>>) {
    super(config);
    this.#settings = Object.entries(settings)
      .map(([name, value]) => `; set local ${name} = ${value}`)
      .join("");
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      const execute: Execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query) =>
        this.#inTransaction.has(connection) ? execute(query) : this.#executeAlone(execute, query);
    }
    return connection;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const begin = ["start transaction", isolationLevel && `isolation level ${isolationLevel}`, accessMode];
    const text = begin.filter((part) => part !== undefined).join(" ");
    this.#inTransaction.add(connection);
    await connection.executeQuery(CompiledQuery.raw(text + this.#settings));
  }

  override async releaseConnection(...[connection]: Parameters<PostgresDriver["releaseConnection"]>): Promise<void> {
    this.#inTransaction.delete(connection);
    await super.releaseConnection(connection);
  }

  async #executeAlone<R>(execute: Execute, query: CompiledQuery): Promise<QueryResult<R>> {
    await execute(CompiledQuery.raw(`begin${this.#settings}`));
    try {
      const result = await execute<R>(query);
      await execute(CompiledQuery.raw("commit"));
      return result;
    } catch (error) {
      await execute(CompiledQuery.raw("rollback")).catch(ignore); // the connection may be gone
      throw error;
    }
  }
}

function ignore(): void {
  // reported elsewhere
}
