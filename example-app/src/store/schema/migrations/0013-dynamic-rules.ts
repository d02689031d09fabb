import { sql, type Kysely } from "kysely";
import type { Database } from "./common.js";

/** The number of rules of each org that select a provider by its name. */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  const find = sql.raw(database === "sqlite" ? "instr" : "strpos");
  await sql`
    insert into org_usage (org_id, quota, used)
    select org_id, 'dynamicRules', count(*) from rules
    where ${find}(actions, '"idpSelectionType":"DYNAMIC"') > 0 group by org_id
  `.execute(db);
}
