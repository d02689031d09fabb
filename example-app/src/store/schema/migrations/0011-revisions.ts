import { sql, type Kysely } from "kysely";
import { required, textOf, type Database } from "./common.js";

/** The revisions of orgs get a table of their own, so that a change of routing does not write the org's own row. */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  await db.schema
    .createTable("org_revisions")
    .addColumn("org_id", textOf(database), (column) =>
      column.notNull().primaryKey().references("orgs.id").onDelete("cascade"),
    )
    .addColumn("revision", "bigint", required)
    .execute();
  await sql`insert into org_revisions (org_id, revision) select id, revision from orgs`.execute(db);
  await db.schema.alterTable("orgs").dropColumn("revision").execute();
}
