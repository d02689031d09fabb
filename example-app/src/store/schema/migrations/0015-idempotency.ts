import type { Kysely } from "kysely";
import { referringToOrg, required, textOf, type Database } from "./common.js";

/** The keys of requests that are carried out once, and their encrypted responses. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  await schema
    .createTable("idempotency_keys")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("key", text, required)
    .addColumn("value", text, required)
    .addColumn("size", "integer", required)
    .addColumn("expires", text, required)
    .addPrimaryKeyConstraint("idempotency_keys_pk", ["org_id", "key"])
    .execute();
  await schema
    .createIndex("idempotency_keys_expires")
    .on("idempotency_keys")
    .columns(["org_id", "expires", "size"])
    .execute();
}
