import { sql, type Kysely } from "kysely";
import { required, referringToOrg, textOf, type Database } from "./common.js";

/** The quota of the records in each table. */
const QUOTA_OF = {
  api_tokens: "apiTokens",
  idps: "idps",
  rules: "rules",
  trusted_origins: "trustedOrigins",
  users: "users",
  zones: "zones",
};

/** What a rule says of patterns. */
interface Conditions {
  readonly userIdentifier?: { readonly patterns?: readonly { readonly value: string }[] };
}

/** Rules that are read together. */
const PAGE_SIZE = 500;

/** The status of orgs, and the counts of what they have. */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  await db.schema
    .alterTable("orgs")
    .addColumn("status", text, (column) => column.notNull().defaultTo("ACTIVE"))
    .execute();
  await db.schema
    .createTable("org_usage")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("quota", text, required)
    .addColumn("used", "bigint", required)
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
      const { userIdentifier } = JSON.parse(row.conditions) as Conditions;
      const patterns = userIdentifier?.patterns ?? [];
      if (patterns.length === 0) continue;
      const count = counts.get(row.org_id) ?? { patterns: 0, patternBytes: 0 };
      counts.set(row.org_id, {
        patterns: count.patterns + patterns.length,
        patternBytes: patterns.reduce((sum, { value }) => sum + Buffer.byteLength(value), count.patternBytes),
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) break;
    [org, id] = [last.org_id, last.id];
  }
  for (const [orgId, count] of counts) {
    for (const [quota, used] of Object.entries(count)) {
      await sql`insert into org_usage (org_id, quota, used) values (${orgId}, ${quota}, ${used})`.execute(db);
    }
  }
}
