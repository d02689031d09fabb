import { sql, type Kysely } from "kysely";
import { textOf, type Database } from "./common.js";

/** The rate limits of orgs, and on PostgreSQL the counts that processes share. Nothing is lost when a crash empties these. */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  await db.schema
    .alterTable("orgs")
    .addColumn("rate_limits", textOf(database), (column) => column.notNull().defaultTo("{}"))
    .execute();
  if (database === "sqlite") return;
  await sql`
    create unlogged table rate_counts (
      key text collate "C" primary key, points integer not null, expire bigint not null
    )
  `.execute(db);
}
