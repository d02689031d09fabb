import { setImmediate } from "node:timers/promises";
import { CompiledQuery, sql, type RawBuilder } from "kysely";
import type { LogEntity } from "../../model/records.js";
import type { DecisionCountRow } from "../contract/log-schema.js";
import type { Db } from "../contract/schema.js";
import type { WriteTransaction } from "../contract/transaction.js";

/** What a decision of the routing rules adds to the events that refer to it, at the same places. */
export interface DecisionDocument {
  readonly target: LogEntity[];
  readonly debugContext: { readonly debugData: Readonly<Record<string, string>> };
}

export interface NewDecision {
  readonly id: string;
  /** JSON of a {@link DecisionDocument}. */
  readonly document: string;
}

/** How often a rule selected a provider, since the last time that this was written. */
export type DecisionCount = Pick<DecisionCountRow, "rule_id" | "provider_id"> & { readonly count: number };

const DAY_MS = 86_400_000;

/** How long counts are kept. */
export const COUNT_DAYS = 90;

/** Partitions of events are dropped so many days late. */
const SLACK_DAYS = 8;

/** Rows that one transaction deletes. It blocks other writers on SQLite for some milliseconds. */
const EXPIRE_COUNT = 500;

/** Rows per statement, as of events. */
const BATCH_SIZE = 100;

/** Note that events of today refer to these decisions. Sorted by id, or transactions would wait for each other. */
export async function keepDecisions(
  { db, now }: WriteTransaction,
  orgId: string,
  decisions: readonly NewDecision[],
): Promise<void> {
  const rows = decisions.map(({ id, document }) => ({ org_id: orgId, id, document, last_used: dayOf(now) }));
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    if (start > 0) await setImmediate();
    await db
      .insertInto("routing_decisions")
      .values(rows.slice(start, start + BATCH_SIZE))
      .onConflict((conflict) =>
        conflict.columns(["org_id", "id"]).doUpdateSet({ last_used: sql<string>`excluded.last_used` }),
      )
      .execute();
  }
}

/**
 * Add to the counts of this hour. Sorted by their ids, each pair of ids once. Kysely would repeat the parameters that all
 * rows share; SQLite keeps a short statement, and making it anew takes longer than executing it.
 */
export async function addCounts(
  { db, now }: WriteTransaction,
  orgId: string,
  counts: readonly DecisionCount[],
): Promise<void> {
  const hour = columnOf(hourOf(now));
  for (let start = 0; start < counts.length; start += BATCH_SIZE) {
    if (start > 0) await setImmediate();
    const batch = counts.slice(start, start + BATCH_SIZE);
    const rows = batch.map((_, index) => `($1,$2,$3,$${3 * index + 4},$${3 * index + 5},$${3 * index + 6})`);
    const text = `insert into decision_counts as present (org_id, day, last, rule_id, provider_id, ${hour})
      values ${rows.join(",")} on conflict (org_id, rule_id, provider_id, day) do update set
      last = case when excluded.last > present.last then excluded.last else present.last end,
      ${hour} = present.${hour} + excluded.${hour}`;
    const values = batch.flatMap(({ rule_id: ruleId, provider_id: providerId, count }) => [ruleId, providerId, count]);
    await db.executeQuery(CompiledQuery.raw(text, [orgId, dayOf(now), now, ...values]));
  }
}

/**
 * Delete some decisions that no event refers to any more, and some old counts.
 *
 * @param days how long events are kept
 * @returns whether more may be left
 */
export async function expireDecisions({ db, now }: WriteTransaction, days: number): Promise<boolean> {
  const before = (count: number) => dayOf(new Date(Date.parse(now) - count * DAY_MS).toISOString());
  const results = [
    await expire(db, { table: "routing_decisions", keys: ["id"], column: "last_used" }, before(days + SLACK_DAYS)),
    await expire(
      db,
      { table: "decision_counts", keys: ["rule_id", "provider_id", "day"], column: "day" },
      before(COUNT_DAYS),
    ),
  ];
  return results.includes(true);
}

interface Expiring {
  readonly table: string;
  readonly keys: readonly string[];
  readonly column: string;
}

/** Of one org, whose rows are on one node. */
async function expire(db: Db, { table: name, keys, column }: Expiring, before: string): Promise<boolean> {
  const table = sql.table(name);
  const isOld: RawBuilder<unknown> = sql`${sql.ref(column)} < ${before}`;
  const { rows } = await sql<{ org_id: string }>`select org_id from ${table} where ${isOld} limit 1`.execute(db);
  const [row] = rows;
  if (!row) return false;
  const key = sql.join(keys.map((each) => sql.ref(each)));
  const isOwn = sql`org_id = ${row.org_id} and ${isOld}`;
  await sql`
    delete from ${table} where ${isOwn} and (${key}) in (
      select ${key} from ${table} where ${isOwn} limit ${sql.lit(EXPIRE_COUNT)}
    )
  `.execute(db);
  return true;
}

/** The column with the count of an hour. */
export const columnOf = (hour: number): string => `h${hour}`;

export const dayOf = (time: string): string => time.slice(0, 10);

export const hourOf = (time: string): number => Number(time.slice(11, 13));
