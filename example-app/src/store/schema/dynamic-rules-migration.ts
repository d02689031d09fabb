import { sql, type Kysely } from "kysely";
import type { Dialect } from "../contract/dialect.js";

/** A migration: count the rules of each org that select a provider by its name. */
export async function countDynamicRules(db: Kysely<unknown>, { contains }: Dialect): Promise<void> {
  const isDynamic = contains(sql.ref("actions"), '"idpSelectionType":"DYNAMIC"');
  await sql`
    insert into org_usage (org_id, quota, used)
    select org_id, 'dynamicRules', count(*) from rules where ${isDynamic} group by org_id
  `.execute(db);
}
