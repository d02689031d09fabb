import { Migrator, sql, type Kysely, type Migration } from "kysely";
import type { Dialect } from "./dialects.js";
import { messageOf, StoreError } from "./errors.js";
import type { Db } from "./schema.js";

/** Kysely's message when the database has a migration that this code doesn't know. */
const UNKNOWN_MIGRATION_REGEXP = /previously executed migration (\S+) is missing/;

/**
 * Bring the schema up to date. Several processes may call it at once: all missing migrations run in one transaction,
 * under a lock.
 *
 * @throws {StoreError} when the database is newer than the code
 */
export async function migrate(db: Db, dialect: Dialect): Promise<void> {
  const migrations = createMigrations(dialect);
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;

  const unknown = UNKNOWN_MIGRATION_REGEXP.exec(messageOf(error))?.[1];
  if (unknown === undefined) throw error as Error;
  throw new StoreError(
    `The database was made by a newer version of the server (it has the migration ${unknown}): update the server`,
  );
}

/** In the order of their names. Never change a released migration; add a new one. */
function createMigrations(dialect: Dialect): Record<string, Migration> {
  return {
    "0001-discovery": { up: (db: Kysely<unknown>) => createDiscoveryTables(db, dialect) },
    "0002-administration": { up: (db: Kysely<unknown>) => createAdministrationTables(db, dialect) },
  };
}

/** A function that begins the definition of a table of an org's records with the columns that they all have. */
function createTableOfOrg(db: Kysely<unknown>, { text }: Dialect) {
  return (name: string) =>
    db.schema
      .createTable(name)
      .addColumn("org_id", text, (column) => column.notNull().references("orgs.id").onDelete("cascade"))
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("created", text, (column) => column.notNull())
      .addColumn("last_updated", text, (column) => column.notNull())
      .addPrimaryKeyConstraint(`${name}_pk`, ["org_id", "id"] as never[]);
}

async function createDiscoveryTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { text } = dialect;
  const createOrgTable = createTableOfOrg(db, dialect);

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

/** Columns that lists of users are sorted or searched by. Each index ends with the id, so that it serves pages. */
const USER_INDEXES = ["status", "created", "last_updated", "profile_login", "email", "first_name", "last_name"];

// eslint-disable-next-line max-lines-per-function -- one table after the other
async function createAdministrationTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { text, memberOf } = dialect;
  const createOrgTable = createTableOfOrg(db, dialect);

  await db.schema
    .alterTable("users")
    .addColumn("revision", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  for (const [column, member] of [
    ["profile_login", "login"],
    ["email", "email"],
    ["first_name", "firstName"],
    ["last_name", "lastName"],
  ] as const) {
    await db.schema
      .alterTable("users")
      .addColumn(column, text, (builder) => builder.notNull().defaultTo(""))
      .execute();
    await sql`update users set ${sql.ref(column)} = ${memberOf("profile", member)}`.execute(db);
  }
  for (const column of USER_INDEXES) {
    await db.schema.createIndex(`users_${column}`).on("users").columns(["org_id", column, "id"]).execute();
  }
  await sql`create index users_listed on users (org_id, id) where status <> 'DEPROVISIONED'`.execute(db);

  await db.schema
    .alterTable("rules")
    .addColumn("position", "double precision", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update rules set position = priority`.execute(db);
  await db.schema.createIndex("rules_order").on("rules").columns(["org_id", "system", "position", "id"]).execute();

  await createOrgTable("trusted_origins")
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("origin", text, (column) => column.notNull())
    .addColumn("scopes", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addUniqueConstraint("trusted_origins_name", ["org_id", "name"])
    .addUniqueConstraint("trusted_origins_origin", ["org_id", "origin"])
    .execute();

  await createOrgTable("api_tokens")
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull())
    .addColumn("scopes", text, (column) => column.notNull())
    .addColumn("expires", text)
    .addUniqueConstraint("api_tokens_name", ["org_id", "name"])
    .addUniqueConstraint("api_tokens_hash", ["org_id", "hash"])
    .execute();

  await createOrgTable("issuers")
    .addColumn("issuer", text, (column) => column.notNull())
    .addColumn("audience", text, (column) => column.notNull())
    .addColumn("keys", text, (column) => column.notNull())
    .addUniqueConstraint("issuers_issuer", ["org_id", "issuer"])
    .execute();

  await db.schema
    .createTable("log_heads")
    .addColumn("org_id", text, (column) => column.notNull().primaryKey().references("orgs.id").onDelete("cascade"))
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addColumn("published", text, (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("log_events")
    .addColumn("org_id", text, (column) => column.notNull())
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addColumn("published", text, (column) => column.notNull())
    .addColumn("uuid", text, (column) => column.notNull())
    .addColumn("event_type", text, (column) => column.notNull())
    .addColumn("severity", text, (column) => column.notNull())
    .addColumn("request_id", text, (column) => column.notNull())
    .addColumn("search_text", text, (column) => column.notNull())
    .addColumn("event", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("log_events_pk", ["org_id", "published", "sequence"])
    .modifyEnd(dialect.partitionByPublished)
    .execute();
  await dialect.createPartitions(db);
  await db.schema
    .createIndex("log_events_request")
    .on("log_events")
    .columns(["org_id", "request_id", "published", "sequence"])
    .execute();
  await db.schema
    .createIndex("log_events_type")
    .on("log_events")
    .columns(["org_id", "event_type", "published", "sequence"])
    .execute();
}
