import type { Duplex } from "node:stream";
import type { PostgresPool } from "kysely";
import { Pool, type Client, type PoolConfig } from "pg";
import type { PoolUsage } from "../contract/engine.js";
import type { ErrorListener } from "../contract/error-counts.js";

/** How long a database that hangs can delay the end of the process, in milliseconds. */
const CLOSE_MS = 5_000;

/** pg's message when `query_timeout` is over. */
const LATE = "Query read timeout";

/** SQLSTATE of a write, and of a question for the position of the log, when the server is a standby. */
const STANDBY_CODES: ReadonlySet<unknown> = new Set(["25006", "55000"]);

const ROLLED_BACK = { command: "ROLLBACK", rowCount: null, rows: [] };

/** Connections that callers share. */
export interface SharedConnections extends PostgresPool {
  usage(): Omit<PoolUsage, "pool">;
  /** Note what each connection has received. The function that it returns closes those that have received nothing since. */
  suspect(): () => void;
}

/**
 * Share connections. With `connectionTimeoutMillis` and `query_timeout` no call waits for ever for a database that accepts
 * connections and says nothing: a connection on which a query is late is closed, so nobody gets it again.
 *
 * @param onError called with each error of a query, or of an attempt to connect
 */
export function shareConnections(config: PoolConfig, onError: ErrorListener = ignore): SharedConnections {
  const pool = new Pool(config);
  const clients = new Set<Client>();
  // Without a listener the error of a dead connection would end the process. A query that uses it fails anyway.
  pool.on("error", ignore);
  pool.on("connect", (pooled) => {
    const client = pooled as Client;
    clients.add(client);
    client.on("error", ignore);
    watchQueries(client, onError);
  });
  pool.on("remove", (client) => clients.delete(client as Client));
  return {
    async connect() {
      try {
        return await pool.connect();
      } catch (error) {
        onError(error);
        throw error;
      }
    },
    usage() {
      const { totalCount, idleCount, waitingCount } = pool;
      return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    suspect() {
      const received = Array.from(clients, ({ connection }) => {
        const stream: Duplex & { readonly bytesRead?: number } = connection.stream; // a socket
        return [stream, stream.bytesRead] as const;
      });
      return () => {
        for (const [stream, bytes] of received) if (stream.bytesRead === bytes) stream.destroy();
      };
    },
    end: () =>
      within(pool.end(), () => {
        for (const { connection } of clients) connection.stream.destroy();
      }),
  };
}

/** Close a connection, at once if the database does not respond. */
export function endConnection(client: Client): Promise<void> {
  return within(client.end().catch(ignore), () => client.connection.stream.destroy());
}

async function within(closing: Promise<void>, force: () => void): Promise<void> {
  const timer = setTimeout(force, CLOSE_MS);
  await closing;
  clearTimeout(timer);
}

/** Report errors, and close a connection that nobody should get again. */
function watchQueries(client: Client, onError: ErrorListener): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  let isClosed = false;
  client.query = function queryInTime(...values: unknown[]) {
    // PostgreSQL rolls back for a closed connection; a failure here would hide why it was closed
    if (isClosed && values[0] === "rollback") return Promise.resolve(ROLLED_BACK);
    const result = query(...values);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        onError(error);
        if (!isBroken(error)) return;
        isClosed = true;
        void client.end();
      });
    }
    return result;
  } as Client["query"];
}

/**
 * Whether a connection is of no use after this error. pg only gives up a query that is late, and its connection would still
 * wait for the result. After a fatal error PostgreSQL closes it. One that is read-only leads to a former primary.
 */
function isBroken(error: unknown): boolean {
  const { code, severity, message } = error as { code?: unknown; severity?: unknown; message?: unknown };
  return severity === "FATAL" || STANDBY_CODES.has(code) || String(message).startsWith(LATE);
}

function ignore(): void {
  // reported elsewhere
}
