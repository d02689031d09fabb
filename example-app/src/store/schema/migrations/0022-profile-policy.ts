import type { Kysely } from "kysely";
import { textOf, type Database } from "./common.js";

/** What a policy does with a rule that needs a profile which can't be read; null for the default. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  await schema.alterTable("orgs").addColumn("when_profile_unavailable", textOf(database)).execute();
}
