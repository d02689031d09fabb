import type { Kysely } from "kysely";
import { createTableOfOrg, referringToOrg, required, textOf, type Database } from "./common.js";

/** Orgs, and the records that discovery needs. */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  const createOrgTable = createTableOfOrg(db, database);

  await db.schema
    .createTable("orgs")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("subdomain", text, (column) => column.notNull().unique())
    .addColumn("name", text, required)
    .addColumn("policy_id", text, required)
    .addColumn("revision", "bigint", required)
    .addColumn("created", text, required)
    .addColumn("last_updated", text, required)
    .execute();

  await db.schema
    .createTable("org_domains")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("domain", text, (column) => column.notNull().unique())
    .addColumn("position", "integer", required)
    .addPrimaryKeyConstraint("org_domains_pk", ["org_id", "domain"])
    .execute();

  await createOrgTable("idps", { texts: ["name", "type", "status", "protocol"], unique: ["name"] }).execute();

  await createOrgTable("zones", { texts: ["name", "status", "gateways", "proxies"], unique: ["name"] }).execute();

  await createOrgTable("rules", { texts: ["name"], unique: ["name", "priority"] })
    .addColumn("priority", "integer", required)
    .addColumn("status", text, required)
    .addColumn("system", "integer", required)
    .addColumn("conditions", text, required)
    .addColumn("actions", text, required)
    .execute();

  await createOrgTable("users", { texts: ["login", "status"], unique: ["login"] })
    .addColumn("activated", text)
    .addColumn("status_changed", text)
    .addColumn("last_login", text)
    .addColumn("profile", text, required)
    .execute();
}
