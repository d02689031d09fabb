import type { Kysely } from "kysely";
import { textOf, type Database } from "./common.js";

/** Tokens that were there before may be used from everywhere, and nobody knows who made them. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  for (const column of ["previous_hash", "previous_expires", "creator_type", "creator_id", "last_used"]) {
    await schema.alterTable("api_tokens").addColumn(column, text).execute();
  }
  await schema
    .alterTable("api_tokens")
    .addColumn("addresses", text, (column) => column.notNull().defaultTo("[]"))
    .execute();
  for (const column of ["previous_hash", "creator_id"]) {
    await schema.createIndex(`api_tokens_${column}`).on("api_tokens").columns(["org_id", column]).execute();
  }
}
