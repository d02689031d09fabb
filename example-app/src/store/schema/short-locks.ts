import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import type { Db, DbTransaction } from "../contract/schema.js";

/** How long requests go on between two tries. */
const PAUSE_MS = 100;

/** SQLSTATEs of a lock that is not available in time, and of two transactions that wait for each other. */
const IN_USE: readonly unknown[] = ["55P03", "40P01"];

export interface Patience {
  /**
   * How long one try waits for a table, in milliseconds: so long all others wait behind it. Fewer than a second, after which
   * PostgreSQL ends one of two transactions that wait for each other (`deadlock_timeout`).
   */
  readonly tryMs: number;
  /** How long it is tried, in milliseconds. */
  readonly totalMs: number;
}

/** Run a transaction that others wait for. They don't wait long when it has to wait itself. */
export async function withShortLocks<T>(
  db: Db,
  { tryMs, totalMs }: Patience,
  work: (transaction: DbTransaction) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + totalMs;
  for (;;) {
    try {
      return await db.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = ${sql.lit(`${tryMs}ms`)}`.execute(transaction);
        return work(transaction);
      });
    } catch (error) {
      if (!IN_USE.includes((error as { code?: unknown }).code) || performance.now() > deadline) throw error;
    }
    await setTimeout(PAUSE_MS);
  }
}
