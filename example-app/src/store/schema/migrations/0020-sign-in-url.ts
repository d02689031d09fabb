import type { Kysely } from "kysely";
import { textOf, type Database } from "./common.js";

/** Where an org signs people in itself. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  await schema.alterTable("orgs").addColumn("sign_in_url", textOf(database)).execute();
}
