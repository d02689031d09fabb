import type { PostgresPool } from "kysely";
import type { QueryConfig } from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import type { SharedCounter } from "../contract/counter.js";

const TABLE = "rate_counts";

/** How often counts of windows that have ended are deleted. */
const CLEAN_MS = 300_000;

/** Counts over `pool`, a connection of its own, so that it takes none from requests. It opens when it is needed. */
export function createSharedCounter(pool: PostgresPool): SharedCounter {
  // not a pool for the limiter, which would use prepared statements; a pool by transaction may have none
  const query = async ({ text, values = [] }: QueryConfig<unknown[]>) => {
    const client = await pool.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  };
  const limiter = new RateLimiterPostgres({
    storeClient: { query },
    storeType: "client",
    tableName: TABLE,
    tableCreated: true,
    clearExpiredByTimeout: false, // that timer can't be stopped
    keyPrefix: "",
    points: 0, // each key has a limit of its own, which the caller knows
    duration: 0,
  });
  const timer = setInterval(() => {
    query({ text: `delete from ${TABLE} where expire < $1`, values: [Date.now()] }).catch(ignore); // the next time does it
  }, CLEAN_MS).unref();

  return {
    add: (key, points, duration) => limiter.penalty(key, points, { customDuration: duration / 1000 }),
    close() {
      clearInterval(timer);
      return pool.end();
    },
  };
}

function ignore(): void {
  // reported elsewhere
}
