import { sql, type Kysely } from "kysely";

/** Each table whose bytes count: their quota, the columns that have them, and the rows. */
const COUNTED = [
  { table: "idps", quota: "idpBytes", columns: ["protocol"] },
  { table: "rules", quota: "ruleBytes", columns: ["conditions", "actions"], rows: sql`where system = 0` },
  { table: "users", quota: "userBytes", columns: ["profile"] },
  { table: "zones", quota: "zoneBytes", columns: ["gateways", "proxies"] },
];

/** The bytes of what orgs have. The database adds them up; no text is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { table, quota, columns, rows = sql`` } of COUNTED) {
    const bytes = sql.raw(columns.map((column) => `octet_length(${column})`).join(" + "));
    await sql`
      insert into org_usage (org_id, quota, used)
      select org_id, ${sql.lit(quota)}, sum(${bytes}) from ${sql.table(table)} ${rows} group by org_id
    `.execute(db);
  }
}
