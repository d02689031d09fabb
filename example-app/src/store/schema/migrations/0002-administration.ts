import { sql, type Kysely } from "kysely";
import { createTableOfOrg, required, textOf, type Database } from "./common.js";

/** Columns that lists of users are sorted or searched by. Each index ends with the id, so that it serves pages. */
const USER_INDEXES = ["status", "created", "last_updated", "profile_login", "email", "first_name", "last_name"];

/** What the API of administrators needs: users in lists, the order of rules, trusted origins, tokens, issuers, the log. */
// eslint-disable-next-line max-lines-per-function -- one table after the other
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  const isPostgres = database === "postgresql";
  const text = textOf(database);
  const profile = isPostgres ? sql`profile::jsonb` : sql`profile`;
  const createOrgTable = createTableOfOrg(db, database);

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
    await sql`update users set ${sql.ref(column)} = ${profile} ->> ${sql.lit(member)}`.execute(db);
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
    .modifyEnd(isPostgres ? sql`partition by range (published)` : sql``)
    .execute();
  if (isPostgres) await sql`create table log_events_rest partition of log_events default`.execute(db);
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
