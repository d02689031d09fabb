import type { PostgresPool } from "kysely";
import { Pool, type Client, type PoolConfig } from "pg";
import type { PoolUsage } from "./dialects.js";
import type { ErrorListener } from "./error-counts.js";

/** How long a database that hangs can delay the end of the process, in milliseconds. */
const CLOSE_MS = 5_000;

/** pg's message when `query_timeout` is over. */
const LATE = "Query read timeout";

/** Connections that callers share. */
export interface SharedConnections extends PostgresPool {
  usage(): Omit<PoolUsage, "pool">;
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

/** Report errors, and close the connection of a query that is late. pg only gives up such a query. Its connection would still wait for the result, and with it whoever gets it next. */
function watchQueries(client: Client, onError: ErrorListener): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  client.query = function queryInTime(...values: unknown[]) {
    const result = query(...values);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        onError(error);
        if (error instanceof Error && error.message.startsWith(LATE)) void client.end();
      });
    }
    return result;
  } as Client["query"];
}

function ignore(): void {
  // reported elsewhere
}
