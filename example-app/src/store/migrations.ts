import { Migrator, type Kysely, type Migration, type RawBuilder } from "kysely";
import type { Db } from "./schema.js";
import { messageOf, StoreError } from "./errors.js";

/** How Kysely says that the database knows a migration that this code does not. */
const UNKNOWN_MIGRATION_REGEXP = /previously executed migration (\S+) is missing/;

/**
 * Bring the schema up to date. Safe in several processes at once: the migrations that are missing run in one
 * transaction, under a lock.
 *
 * @param text the type of a text column that compares binary
 * @throws {StoreError} when the database is newer than the code
 */
export async function migrate(db: Db, text: RawBuilder<unknown>): Promise<void> {
  const migrations = createMigrations(text);
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;

  const unknown = UNKNOWN_MIGRATION_REGEXP.exec(messageOf(error))?.[1];
  if (unknown === undefined) throw error as Error;
  throw new StoreError(
    `The database was made by a newer version of the server (it has the migration ${unknown}): update the server`,
  );
}

/** In the order of their names. One that was released never changes; what comes later is a migration of its own. */
function createMigrations(text: RawBuilder<unknown>): Record<string, Migration> {
  return {
    "0001-discovery": { up: (db: Kysely<unknown>) => createDiscoveryTables(db, text) },
  };
}

async function createDiscoveryTables(db: Kysely<unknown>, text: RawBuilder<unknown>): Promise<void> {
  /** A table of the org's records, as they all begin. */
  const createOrgTable = (name: string) =>
    db.schema
      .createTable(name)
      .addColumn("org_id", text, (column) => column.notNull().references("orgs.id").onDelete("cascade"))
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("created", text, (column) => column.notNull())
      .addColumn("last_updated", text, (column) => column.notNull())
      .addPrimaryKeyConstraint(`${name}_pk`, ["org_id", "id"] as never[]);

  await db.schema
    .createTable("orgs")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("subdomain", text, (column) => column.notNull().unique())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("policy_id", text, (column) => column.notNull())
    .addColumn("revision", "bigint", (column) => column.notNull())
    .addColumn("created", text, (column) => column.notNull())
    .addColumn("last_updated", text, (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("org_domains")
    .addColumn("org_id", text, (column) => column.notNull().references("orgs.id").onDelete("cascade"))
    .addColumn("domain", text, (column) => column.notNull().unique())
    .addColumn("position", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("org_domains_pk", ["org_id", "domain"])
    .execute();

  await createOrgTable("idps")
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("protocol", text, (column) => column.notNull())
    .addUniqueConstraint("idps_name", ["org_id", "name"])
    .execute();

  await createOrgTable("zones")
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("gateways", text, (column) => column.notNull())
    .addColumn("proxies", text, (column) => column.notNull())
    .addUniqueConstraint("zones_name", ["org_id", "name"])
    .execute();

  await createOrgTable("rules")
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("priority", "integer", (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("system", "integer", (column) => column.notNull())
    .addColumn("conditions", text, (column) => column.notNull())
    .addColumn("actions", text, (column) => column.notNull())
    .addUniqueConstraint("rules_name", ["org_id", "name"])
    .addUniqueConstraint("rules_priority", ["org_id", "priority"])
    .execute();

  await createOrgTable("users")
    .addColumn("login", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("activated", text)
    .addColumn("status_changed", text)
    .addColumn("last_login", text)
    .addColumn("profile", text, (column) => column.notNull())
    .addUniqueConstraint("users_login", ["org_id", "login"])
    .execute();
}
