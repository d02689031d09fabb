import type { Kysely } from "kysely";
import { textOf, type Database } from "./common.js";

/** How much the log of an org got on the current day, which bounds it. */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  await db.schema
    .alterTable("log_heads")
    .addColumn("day", textOf(database), (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema
    .alterTable("log_heads")
    .addColumn("day_size", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}
