import type { Kysely } from "kysely";
import { referringToOrg, required, textOf, type Database } from "./common.js";

/** The changes of rules, identity providers, zones and trusted origins: who made them, and what was before. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  await schema
    .createTable("revisions")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("revision", "bigint", required)
    .addColumn("published", text, required)
    .addColumn("source", text, required)
    .addColumn("restored", "bigint")
    .addColumn("request_id", text, required)
    .addColumn("client_ip", text)
    .addColumn("actor", text, required)
    .addColumn("change_count", "integer", required)
    .addColumn("size", "integer", required)
    .addColumn("summary", text, required)
    .addPrimaryKeyConstraint("revisions_pk", ["org_id", "revision"])
    .execute();
  await schema
    .createIndex("revisions_published")
    .on("revisions")
    .columns(["org_id", "published", "revision"])
    .execute();
  await schema
    .createTable("revision_changes")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("revision", "bigint", required)
    .addColumn("place", "integer", required)
    .addColumn("kind", text, required)
    .addColumn("object_id", text, required)
    .addColumn("name", text, required)
    .addColumn("event", text, required)
    .addColumn("priority_before", "integer")
    .addColumn("priority_after", "integer")
    .addColumn("before", text)
    .addPrimaryKeyConstraint("revision_changes_pk", ["org_id", "revision", "place"])
    .execute();
  await schema
    .createIndex("revision_changes_object")
    .on("revision_changes")
    .columns(["org_id", "object_id", "revision", "place"])
    .execute();
}
