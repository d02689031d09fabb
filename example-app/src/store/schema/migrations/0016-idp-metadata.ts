import type { Kysely } from "kysely";
import { required, textOf, type Database } from "./common.js";

/** When the metadata of an identity provider is fetched, and what came of it. One process at a time does that. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  for (const column of ["metadata", "metadata_due"]) {
    await schema.alterTable("idps").addColumn(column, text).execute();
  }
  await schema
    .createIndex("idps_metadata_due")
    .on("idps")
    .column("metadata_due")
    .where("metadata_due" as never, "is not", null)
    .execute();
  await schema
    .createTable("leases")
    .addColumn("name", text, (column) => column.notNull().primaryKey())
    .addColumn("holder", text, required)
    .addColumn("expires", text, required)
    .execute();
}
