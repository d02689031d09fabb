import type { Kysely } from "kysely";
import { referringToOrg, required, textOf, type Database } from "./common.js";

/** The links that sign in to the console, and its sessions, which go with their tokens. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  await schema
    .createTable("console_links")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("hash", text, required)
    .addColumn("expires", text, required)
    .addPrimaryKeyConstraint("console_links_pk", ["org_id", "hash"])
    .execute();
  await schema
    .createTable("console_sessions")
    .addColumn("org_id", text, required)
    .addColumn("hash", text, required)
    .addColumn("token_id", text, required)
    .addColumn("token_hash", text, required)
    .addColumn("created", text, required)
    .addColumn("last_used", text, required)
    .addPrimaryKeyConstraint("console_sessions_pk", ["org_id", "hash"])
    .addForeignKeyConstraint("console_sessions_token", ["org_id", "token_id"], "api_tokens", ["org_id", "id"], (key) =>
      key.onDelete("cascade"),
    )
    .execute();
  await schema
    .createIndex("console_sessions_token_id")
    .on("console_sessions")
    .columns(["org_id", "token_id", "last_used"])
    .execute();
}
