import type { Kysely } from "kysely";
import { createTableOfOrg, textOf, type Database } from "./common.js";

/** What administrators of an org expect of its routing. */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  await createTableOfOrg(db, database)("routing_tests", { texts: ["name", "login", "expected"], unique: ["name"] })
    .addColumn("client_ip", text)
    .addColumn("zone_id", text)
    .addColumn("user_agent", text)
    .execute();
}
