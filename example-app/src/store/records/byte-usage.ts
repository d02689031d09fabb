import { sql, type Kysely } from "kysely";
import { bytesOf } from "../contract/columns.js";
import { BYTES_QUOTA_OF } from "./table.js";

/** A migration: counts the bytes of what orgs have. The database adds them up; no text is read. */
export async function countBytes(db: Kysely<unknown>): Promise<void> {
  for (const [table, quota] of Object.entries(BYTES_QUOTA_OF)) {
    const ordinary = table === "rules" ? sql`where system = 0` : sql``;
    await sql`
      insert into org_usage (org_id, quota, used)
      select org_id, ${sql.lit(quota)}, sum(${bytesOf(table)}) from ${sql.table(table)} ${ordinary} group by org_id
    `.execute(db);
  }
}
