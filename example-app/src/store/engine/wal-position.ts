import { CompiledQuery, type PostgresPool } from "kysely";
import type { Db } from "../contract/schema.js";

/** How far the log of a primary has come (its WAL). */
export interface WalPosition {
  /** As PostgreSQL writes it: `0/3000148`. */
  readonly lsn: string;
  /** Grows with each failover. Positions of different timelines can't be compared. */
  readonly timeline: number;
  /** The cluster and the database in it, of which a replica has the same. */
  readonly database: string;
}

/** What a server says of itself that may be a replica. */
export interface Standing extends Pick<WalPosition, "database"> {
  readonly isStandby: boolean;
  /** Whether it has replayed the log up to a position. */
  readonly isReached: boolean;
  /** `0` when it is not known. */
  readonly timeline: number;
}

const DATABASE = `
  (select system_identifier::text from pg_control_system()) || ' ' ||
  (select oid from pg_database where datname = current_database())`;

/**
 * Whatever others could see before this statement is committed up to its position. A commit is visible after it is
 * flushed; only with `synchronous_commit = off` it may be visible before.
 */
export const POSITION_SQL = `
  select
    case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end::text as lsn,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline,
    ${DATABASE} as database`;

/**
 * The timeline is that of the last restartpoint, or that which the standby receives. It receives one only if it has
 * replayed no log that is not part of it.
 */
export const STANDING_SQL = `
  select
    pg_is_in_recovery() as "isStandby",
    coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isReached",
    coalesce(greatest((select timeline_id from pg_control_checkpoint()), (select received_tli from pg_stat_wal_receiver)), 0)
      as timeline,
    ${DATABASE} as database`;

/**
 * A function that asks the primary for its position over `pool`. Callers that wait share a question. It is sent after the
 * call of each of them.
 */
export function createPositions(pool: PostgresPool): () => Promise<WalPosition> {
  return shareQuestion(async () => {
    const client = await pool.connect();
    try {
      return firstOf(await client.query<WalPosition>(POSITION_SQL, []));
    } finally {
      client.release();
    }
  });
}

/** Ask the server of `db` how it stands to a position. What the same connection reads afterwards is not older than that. */
export async function readStanding(db: Db, { lsn }: WalPosition): Promise<Standing> {
  return firstOf(await db.executeQuery<Standing>(CompiledQuery.raw(STANDING_SQL, [lsn])));
}

/** Why reads of `position` must not go to a server, other than that it has not come so far. */
export function findUnfitness(standing: Standing, position: WalPosition): string | undefined {
  if (standing.database !== position.database) return "it is another database than the primary";
  if (!standing.isStandby) return "it is no standby";
  if (standing.timeline !== position.timeline) {
    return `it follows the timeline ${standing.timeline}, and the primary is on ${position.timeline}`;
  }
  return undefined;
}

/** The row of a statement that returns one. */
export function firstOf<T>({ rows: [row] }: { readonly rows: readonly T[] }): T {
  if (row === undefined) throw new Error("The server returned no row");
  return row;
}

/** One question at a time. A call while one is asked waits for the next one. */
function shareQuestion<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;

  async function askNext(): Promise<T> {
    await running;
    next = undefined; // who calls from now on needs a newer answer
    const answer = ask();
    running = answer.catch(ignore);
    return answer;
  }

  return () => (next ??= askNext());
}

function ignore(): void {
  // the callers get it
}
