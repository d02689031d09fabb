import { sql } from "kysely";
import type { Db } from "../contract/schema.js";

/** An identity provider whose metadata is due. */
export interface DueMetadata {
  readonly orgId: string;
  readonly id: string;
}

/** Of one org at a time, so that one whose hosts are slow does not delay the others. */
const MAX_PER_ORG = 2;

/** Active providers of active orgs whose metadata is due, those that have waited longest first. */
export async function findDueMetadata(db: Db, now: string, limit: number): Promise<DueMetadata[]> {
  const { rows } = await sql<DueMetadata>`
    select org_id as "orgId", id from (
      select org_id, id, metadata_due,
        row_number() over (partition by org_id order by metadata_due, id) as place
      from idps
      where metadata_due <= ${now} and status = 'ACTIVE'
        and exists (select 1 from orgs where orgs.id = idps.org_id and orgs.status = 'ACTIVE')
    ) as due
    where place <= ${sql.lit(MAX_PER_ORG)}
    order by metadata_due, org_id, id limit ${limit}
  `.execute(db);
  return rows;
}
