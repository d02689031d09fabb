import type { Kysely } from "kysely";
import { textOf, type Database } from "./common.js";

/** Issuers that were there before accept the default type alone. */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  await db.schema
    .alterTable("issuers")
    .addColumn("types", textOf(database), (column) => column.notNull().defaultTo('["at+jwt"]'))
    .execute();
}
