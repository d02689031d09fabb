import type { Kysely } from "kysely";
import type { Dialect } from "../contract/dialect.js";

/** Issuers that were there before accept the default type alone. */
export async function addIssuerTypes(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable("issuers")
    .addColumn("types", text, (column) => column.notNull().defaultTo('["at+jwt"]'))
    .execute();
}

/** Tokens that were there before may be used from everywhere, and nobody knows who made them. */
export async function addTokenColumns({ schema }: Kysely<unknown>, { text }: Dialect): Promise<void> {
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
