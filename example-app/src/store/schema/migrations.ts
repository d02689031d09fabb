import {
  Migrator,
  sql,
  type ColumnBuilderCallback,
  type CreateTableBuilder,
  type Kysely,
  type Migration,
} from "kysely";
import { countBytes } from "../records/byte-usage.js";
import { createConsoleTables } from "./console-migration.js";
import type { Dialect } from "../contract/dialect.js";
import { countDynamicRules } from "./dynamic-rules-migration.js";
import { messageOf, StoreError } from "../contract/errors.js";
import { createLogView } from "../log/view.js";
import { createOrgUsage } from "../records/org-usage.js";
import type { Db } from "../contract/schema.js";
import { addIssuerTypes, addTokenColumns } from "./token-migrations.js";

/** Where Kysely keeps the names of the migrations that have run. */
const MIGRATIONS_TABLE = "kysely_migration";

/** Kysely's message when the database has a migration that this code doesn't know. */
const UNKNOWN_MIGRATION_REGEXP = /previously executed migration (\S+) is missing/;

/**
 * Bring the schema up to date. Several processes may call it at once: all missing migrations run in one transaction,
 * under a lock.
 *
 * @param migrations in the order of their names
 * @throws {StoreError} when the database is newer than the code
 */
export async function migrate(
  db: Db,
  dialect: Dialect,
  migrations: Readonly<Record<string, Migration>> = createMigrations(dialect),
): Promise<void> {
  if (await haveRun(db, dialect, Object.keys(migrations))) return;
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;

  const unknown = UNKNOWN_MIGRATION_REGEXP.exec(messageOf(error))?.[1];
  if (unknown === undefined) throw error as Error;
  throw new StoreError(
    `The database was made by a newer version of the server (it has the migration ${unknown}): update the server`,
  );
}

/** Whether these migrations have run and no others. Kysely reads all columns of all tables before it knows. */
async function haveRun(db: Db, dialect: Dialect, names: readonly string[]): Promise<boolean> {
  const { rows: tables } = await dialect.findTable(MIGRATIONS_TABLE).execute(db);
  if (tables.length === 0) return false;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)}`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return applied.size === names.length && names.every((name) => applied.has(name));
}

/** The names of all migrations. */
export function listMigrations(dialect: Dialect): string[] {
  return Object.keys(createMigrations(dialect));
}

/** In the order of their names. Never change a released migration; add a new one. */
export function createMigrations(dialect: Dialect): Record<string, Migration> {
  return {
    "0001-discovery": { up: (db: Kysely<unknown>) => createDiscoveryTables(db, dialect) },
    "0002-administration": { up: (db: Kysely<unknown>) => createAdministrationTables(db, dialect) },
    "0003-log-facts": { up: (db: Kysely<unknown>) => createLogView(db, dialect) },
    "0004-user-names": { up: createNameIndexes },
    "0005-log-context": { up: (db: Kysely<unknown>) => createLogView(db, dialect) },
    "0006-org-quotas": { up: (db: Kysely<unknown>) => createOrgUsage(db, dialect) },
    "0007-issuer-types": { up: (db: Kysely<unknown>) => addIssuerTypes(db, dialect) },
    "0007-tokens": { up: (db: Kysely<unknown>) => addTokenColumns(db, dialect) },
    "0008-log-sizes": { up: (db: Kysely<unknown>) => addLogSizes(db, dialect) },
    "0009-rate-limits": { up: (db: Kysely<unknown>) => createRateLimits(db, dialect) },
    "0010-console": { up: (db: Kysely<unknown>) => createConsoleTables(db, dialect) },
    "0011-revisions": { up: (db: Kysely<unknown>) => moveRevisions(db, dialect) },
    "0012-bytes": { up: countBytes },
    "0013-dynamic-rules": { up: (db: Kysely<unknown>) => countDynamicRules(db, dialect) },
  };
}

const required: ColumnBuilderCallback = (column) => column.notNull();

const referringToOrg: ColumnBuilderCallback = (column) => column.notNull().references("orgs.id").onDelete("cascade");

/** A function that begins the definition of a table of an org's records with the columns that they all have. */
function createTableOfOrg({ schema }: Kysely<unknown>, { text }: Dialect) {
  /** @param unique columns whose values are unique in the org; `findViolatedColumn` relies on the constraints' names */
  return (name: string, { texts, unique }: Readonly<{ texts: string[]; unique: string[] }>) => {
    let table: CreateTableBuilder<string, string> = schema
      .createTable(name)
      .addColumn("org_id", text, referringToOrg)
      .addPrimaryKeyConstraint(`${name}_pk`, ["org_id", "id"] as never[]);
    for (const column of ["id", "created", "last_updated", ...texts]) table = table.addColumn(column, text, required);
    for (const column of unique) table = table.addUniqueConstraint(`${name}_${column}`, ["org_id", column]);
    return table;
  };
}

async function createDiscoveryTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { text } = dialect;
  const createOrgTable = createTableOfOrg(db, dialect);

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

  await createOrgTable("trusted_origins", {
    texts: ["name", "origin", "scopes", "status"],
    unique: ["name", "origin"],
  }).execute();

  await createOrgTable("api_tokens", { texts: ["name", "hash", "scopes"], unique: ["name", "hash"] })
    .addColumn("expires", text)
    .execute();

  await createOrgTable("issuers", { texts: ["issuer", "audience", "keys"], unique: ["issuer"] }).execute();

  await db.schema
    .createTable("log_heads")
    .addColumn("org_id", text, (column) => column.notNull().primaryKey().references("orgs.id").onDelete("cascade"))
    .addColumn("sequence", "bigint", required)
    .addColumn("published", text, required)
    .execute();

  await db.schema
    .createTable("log_events")
    .addColumn("org_id", text, required)
    .addColumn("sequence", "bigint", required)
    .addColumn("published", text, required)
    .addColumn("uuid", text, required)
    .addColumn("event_type", text, required)
    .addColumn("severity", text, required)
    .addColumn("request_id", text, required)
    .addColumn("search_text", text, required)
    .addColumn("event", text, required)
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

/** For lists of users by name, see `selectByName`. */
async function createNameIndexes(db: Kysely<unknown>): Promise<void> {
  for (const column of ["profile_login", "email", "first_name", "last_name"]) {
    await sql`
      create index ${sql.ref(`users_${column}_lower`)} on users (org_id, lower(${sql.ref(column)}), id)
    `.execute(db);
  }
}

/** How much the log of an org got on the current day, which bounds it. */
async function addLogSizes(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable("log_heads")
    .addColumn("day", text, (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema
    .alterTable("log_heads")
    .addColumn("day_size", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createRateLimits(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable("orgs")
    .addColumn("rate_limits", dialect.text, (column) => column.notNull().defaultTo("{}"))
    .execute();
  await dialect.createRateCounts(db);
  await createLogView(db, dialect); // it has the message of another event
}

/** The revisions of orgs get a table of their own, so that a change of routing does not write the org's own row. */
async function moveRevisions(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .createTable("org_revisions")
    .addColumn("org_id", text, (column) => column.notNull().primaryKey().references("orgs.id").onDelete("cascade"))
    .addColumn("revision", "bigint", required)
    .execute();
  await sql`insert into org_revisions (org_id, revision) select id, revision from orgs`.execute(db);
  await db.schema.alterTable("orgs").dropColumn("revision").execute();
}
