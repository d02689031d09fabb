import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  sql,
  type DatabaseConnection,
  type PostgresDialectConfig,
  type TransactionSettings,
} from "kysely";
import type { ClientConfig } from "pg";
import { MAX_WAITING, type Connections, type PoolUsage } from "./dialects.js";
import type { ErrorListener } from "./error-counts.js";
import { shareConnections } from "./postgres-connections.js";
import type { Db, Tables } from "./schema.js";
import { createTurns } from "./turns.js";

/** How long a caller waits for its turn. Without it, callers would wait for each other while the database hangs. */
export const PATIENCE_MS = 5_000;

export interface PoolOptions {
  /** What its connections are for. */
  readonly name: string;
  readonly size: number;
  /** How long a statement may run, in milliseconds; 0 for no limit. */
  readonly timeout: number;
  /** Called with each error of a query, or of an attempt to connect. */
  readonly onError: ErrorListener;
}

/** Connections for one purpose, and how they are used. */
export interface NamedConnections extends Connections {
  readonly usage: () => PoolUsage;
}

/** Open connections that orgs use in turns: each at most half of them at once. */
export function openPool(connection: ClientConfig, { name, size, timeout, onError }: PoolOptions): NamedConnections {
  const settings = { jit: "off", statement_timeout: String(timeout) }; // to compile a long filter takes seconds
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const pool = shareConnections({ ...connection, options: options.join(" "), max: size }, onError);
  const db = new Kysely<Tables>({ dialect: new PooledDialect({ pool }, settings) });
  const turns = createTurns({ size, share: Math.ceil(size / 2), maxWaiting: MAX_WAITING, patience: PATIENCE_MS });
  const usage = (): PoolUsage => {
    const { used, idle, waiting } = pool.usage();
    return { pool: name, used, idle, waiting: waiting + turns.waiting() };
  };
  return { reader: db, snapshots: db, writer: db, turns, usage };
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

class PooledDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #settings: Readonly<Record<string, string>>;

  constructor(config: PostgresDialectConfig, settings: Readonly<Record<string, string>>) {
    super(config);
    this.#config = config;
    this.#settings = settings;
  }

  override createDriver(): PostgresDriver {
    return new PooledDriver(this.#config, this.#settings);
  }
}

/** Repeats the settings of a connection in each transaction, because PgBouncer may have dropped those of the connection. */
class PooledDriver extends PostgresDriver {
  readonly #settings: string;

  constructor(config: PostgresDialectConfig, settings: Readonly<Record<string, string>>) {
    super(config);
    this.#settings = Object.entries(settings)
      .map(([name, value]) => `; set local ${name} = ${value}`)
      .join("");
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const begin = ["start transaction", isolationLevel && `isolation level ${isolationLevel}`, accessMode];
    const text = begin.filter((part) => part !== undefined).join(" ");
    await connection.executeQuery(CompiledQuery.raw(text + this.#settings));
  }
}

function ignore(): void {
  // reported elsewhere
}
