import { sql } from "kysely";
import type { DbTransaction } from "../contract/schema.js";

/*
 * On PostgreSQL the log is partitioned by week, Monday to Sunday in UTC, so that old events are dropped with their
 * table. The default partition takes events of weeks without a partition. A week with events in the default partition
 * gets no partition of its own later; these events are deleted from the default partition when they are old.
 */

/** Weeks after the current one that get a partition. */
const WEEKS_AHEAD = 4;

/** Matches `log_events_20260105`, the partition of the week that begins on that Monday. */
const NAME_REGEXP = /^log_events_(\d{4})(\d{2})(\d{2})$/;

/** Rows per delete from the default partition. */
const EXPIRE_COUNT = 5_000;

const DAY_MS = 86_400_000;

/** An arbitrary number, the same in all processes. */
const PARTITION_LOCK = 6_573_103;

/** The longest time that a change of partitions makes readers and writers of the log wait. */
const LOCK_TIMEOUT = "1s";

interface Week {
  /** The name of the partition. */
  readonly name: string;
  /** The first day, which sorts before all times in it. */
  readonly from: string;
  /** The first day of the next week. */
  readonly to: string;
}

/**
 * Create the missing partitions of the week of `now` and the following ones. Takes a lock, so one process creates
 * partitions, and the others find them when they have waited. Creates tables and attaches them, which only blocks
 * transactions that use the default partition.
 */
export async function addLogPartitions(transaction: DbTransaction, now: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(transaction); // nobody waits for who waits here
  await limitWaiting(transaction);
  const present = new Set((await listWeeks(transaction)).map(({ name }) => name));
  for (let ahead = 0; ahead <= WEEKS_AHEAD; ahead++) {
    const { name, from, to } = weekOf(Date.parse(now) + ahead * 7 * DAY_MS);
    if (present.has(name) || (await hasRest(transaction, from, to))) continue;
    await sql`create table ${sql.table(name)} (like log_events including all)`.execute(transaction);
    await sql`
      alter table log_events attach partition ${sql.table(name)} for values from (${sql.lit(from)}) to (${sql.lit(to)})
    `.execute(transaction);
  }
}

/**
 * Drop the weeks that ended before `before`, and delete some old events of the default partition. Does nothing while
 * another process holds the lock.
 *
 * @returns whether old events may be left in the default partition
 */
export async function expireLogEvents(transaction: DbTransaction, before: string): Promise<boolean> {
  await limitWaiting(transaction);
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${PARTITION_LOCK}) as locked
  `.execute(transaction);
  if (rows[0]?.locked !== true) return false;

  for (const { name, to } of await listWeeks(transaction)) {
    if (to <= before) await sql`drop table ${sql.table(name)}`.execute(transaction);
  }
  return expireRest(transaction, before);
}

/** Delete old events of one org from the default partition. Row ids are those of one shard, if there are several. */
async function expireRest(transaction: DbTransaction, before: string): Promise<boolean> {
  const { rows } = await sql<{ org_id: string }>`
    select org_id from log_events_rest where published < ${before} limit 1
  `.execute(transaction);
  const [row] = rows;
  if (!row) return false;
  const isOld = sql`org_id = ${row.org_id} and published < ${before}`;
  await sql`
    delete from log_events_rest where ${isOld} and ctid = any (array(
      select ctid from log_events_rest where ${isOld} limit ${EXPIRE_COUNT}
    ))
  `.execute(transaction);
  return true;
}

async function limitWaiting(transaction: DbTransaction): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction);
}

async function listWeeks(transaction: DbTransaction): Promise<Week[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'log_events'::regclass order by relname
  `.execute(transaction);
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = NAME_REGEXP.exec(name) ?? [];
    return year === undefined ? [] : [weekOf(Date.UTC(Number(year), Number(month) - 1, Number(day)))];
  });
}

async function hasRest(transaction: DbTransaction, from: string, to: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from log_events_rest where published >= ${from} and published < ${to} limit 1
  `.execute(transaction);
  return rows.length > 0;
}

function weekOf(time: number): Week {
  const today = Math.floor(time / DAY_MS);
  const monday = today - ((today + 3) % 7); // 1 January 1970 was a Thursday
  const from = formatDay(monday);
  return { name: `log_events_${from.replaceAll("-", "")}`, from, to: formatDay(monday + 7) };
}

function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
