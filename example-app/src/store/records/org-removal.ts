import { sql } from "kysely";
import type { LogPlace } from "../contract/log-schema.js";
import type { Db } from "../contract/schema.js";
import type { WriteTransaction } from "../contract/transaction.js";

/** What people are told of: the tables with records and events. */
const TABLES = [
  "users",
  "rules",
  "routing_tests",
  "idps",
  "zones",
  "trusted_origins",
  "issuers",
  "api_tokens",
  "log_events",
] as const;

/** The keys of other tables that are emptied before the org's own row is removed; what else belongs to it goes with that row. */
const KEYS: Readonly<Record<string, string>> = {
  user_words: "word, user_id",
  routing_decisions: "id",
  decision_counts: "rule_id, provider_id, day",
};

/** Rows that one transaction removes. It blocks other writers on SQLite for some milliseconds. */
const BATCH_SIZE = 500;

const COUNTED = [...TABLES, "revisions"] as const;

/** How many rows an org has, by table. */
export type OrgContent = Readonly<Record<(typeof COUNTED)[number], number>>;

export async function countContent(db: Db, orgId: string): Promise<OrgContent> {
  const counts: [string, number][] = [];
  for (const table of COUNTED) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where org_id = ${orgId}
    `.execute(db);
    counts.push([table, rows[0]?.count ?? 0]);
  }
  return Object.fromEntries(counts) as OrgContent;
}

/**
 * Remove some of the records and events of an org.
 *
 * @returns whether more are left
 */
export async function removeContent({ db }: WriteTransaction, orgId: string): Promise<boolean> {
  for (const table of [...TABLES, ...Object.keys(KEYS)]) {
    const key = sql.raw(KEYS[table] ?? "id");
    const rows =
      table === "log_events"
        ? await selectEvents(db, orgId)
        : sql`(${key}) in (
        select ${key} from ${sql.table(table)} where org_id = ${orgId} limit ${sql.lit(BATCH_SIZE)}
      )`;
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where org_id = ${orgId} and ${rows}
    `.execute(db);
    if (numAffectedRows > 0n) return true;
  }
  return removeHistory(db, orgId);
}

/** Changes have long texts, so fewer of them. */
async function removeHistory(db: Db, orgId: string): Promise<boolean> {
  for (const [columns, table, size] of [
    ["revision, place", "revision_changes", BATCH_SIZE / 10],
    ["revision", "revisions", BATCH_SIZE],
  ] as const) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where org_id = ${orgId} and (${sql.raw(columns)}) in (
        select ${sql.raw(columns)} from ${sql.table(table)} where org_id = ${orgId} limit ${sql.lit(size)}
      )
    `.execute(db);
    if (numAffectedRows > 0n) return true;
  }
  return false;
}

/** The oldest events. A row has no key of its own in all partitions of PostgreSQL, so they are found by their place. */
async function selectEvents(db: Db, orgId: string) {
  const { rows } = await sql<LogPlace>`
    select published, sequence from log_events where org_id = ${orgId}
    order by published, sequence limit 1 offset ${sql.lit(BATCH_SIZE - 1)}
  `.execute(db);
  const [last] = rows;
  return last ? sql`(published, sequence) <= (${last.published}, ${last.sequence})` : sql`true`;
}

/** Remove the org itself, and what was written since its records were removed. Blocks writers of its log. */
export async function removeOrgRow(transaction: WriteTransaction, orgId: string): Promise<void> {
  const { db } = transaction;
  await transaction.touch(orgId);
  await db.deleteFrom("log_heads").where("org_id", "=", orgId).execute();
  await db.deleteFrom("log_events").where("org_id", "=", orgId).execute();
  await db.deleteFrom("orgs").where("id", "=", orgId).execute();
}
