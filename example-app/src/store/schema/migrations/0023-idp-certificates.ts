import type { Kysely } from "kysely";
import { textOf, type Database } from "./common.js";

/** When the certificate of an identity provider expires, as a job has read it, and of which such time it has warned. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  for (const column of ["certificate_expires", "certificate_warned"]) {
    await schema.alterTable("idps").addColumn(column, text).execute();
  }
}
