import { sql, type Kysely } from "kysely";
import { measurePatterns, type QuotaName } from "../../model/quotas.js";
import type { RuleConditions } from "../../model/records.js";
import type { Dialect } from "../contract/dialect.js";
import { QUOTA_OF } from "./table.js";

/** Rules that are read together. */
const PAGE_SIZE = 500;

/** A migration: the status of orgs, and the counts of what they have. */
export async function createOrgUsage(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable("orgs")
    .addColumn("status", text, (column) => column.notNull().defaultTo("ACTIVE"))
    .execute();
  await db.schema
    .createTable("org_usage")
    .addColumn("org_id", text, (column) => column.notNull().references("orgs.id").onDelete("cascade"))
    .addColumn("quota", text, (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("org_usage_pk", ["org_id", "quota"])
    .execute();
  for (const [table, quota] of Object.entries(QUOTA_OF)) {
    const ordinary = table === "rules" ? sql`where system = 0` : sql``;
    await sql`
      insert into org_usage (org_id, quota, used)
      select org_id, ${sql.lit(quota)}, count(*) from ${sql.table(table)} ${ordinary} group by org_id
    `.execute(db);
  }
  await countPatterns(db);
}

async function countPatterns(db: Kysely<unknown>): Promise<void> {
  const counts = new Map<string, { patterns: number; patternBytes: number }>();
  for (let [org, id] = ["", ""]; ;) {
    const { rows } = await sql<{ org_id: string; id: string; conditions: string }>`
      select org_id, id, conditions from rules where (org_id, id) > (${org}, ${id})
      order by org_id, id limit ${sql.lit(PAGE_SIZE)}
    `.execute(db);
    for (const row of rows) {
      const { patterns, patternBytes } = measurePatterns(JSON.parse(row.conditions) as RuleConditions);
      if (patterns === 0) continue;
      const count = counts.get(row.org_id) ?? { patterns: 0, patternBytes: 0 };
      counts.set(row.org_id, {
        patterns: count.patterns + patterns,
        patternBytes: count.patternBytes + patternBytes,
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) break;
    [org, id] = [last.org_id, last.id];
  }
  for (const [orgId, count] of counts) {
    for (const [quota, used] of Object.entries(count) as [QuotaName, number][]) {
      await sql`insert into org_usage (org_id, quota, used) values (${orgId}, ${quota}, ${used})`.execute(db);
    }
  }
}
