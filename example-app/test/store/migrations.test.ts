import { join } from "node:path";
import Database from "libsql";
import { Kysely, PostgresDialect, sql, SqliteDialect } from "kysely";
import { Pool } from "pg";
import { MESSAGES, packFacts, type LogFacts } from "../../src/store/log/stored-facts.js";
import type { Db } from "../../src/store/contract/schema.js";
import { createPostgresDialect } from "../../src/store/engine/postgres-dialect.js";
import { DATABASE_FILE } from "../../src/store/engine/sqlite.js";
import { SQLITE } from "../../src/store/engine/sqlite-dialect.js";
import type { Migration, Up } from "../../src/store/schema/migrations/common.js";
import { versionOf } from "../../src/store/schema/versions.js";
import { readProgress, runAtOnce } from "../../src/store/schema/migrate.js";
import { MIGRATIONS } from "../../src/store/schema/migrations/index.js";
import { listStatements } from "../../src/store/schema/statements.js";
import type { Store } from "../../src/store/store.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const NAMES = Object.keys(MIGRATIONS);

describe.each(["sqlite", "postgresql"] as const)("a migration on %s", (kind) => {
  it.each(NAMES)("%s runs the SQL that it was released with", async (name) => {
    const statements = await listStatements(MIGRATIONS[name]!, kind);
    expect(statements.join("\n")).toMatchSnapshot();
  });
});

const ADDITION_REGEXP = /^(?:create (?:table|index|view|or replace view)|drop view|alter table "\w+" add column) /;

/** Why nodes of the version before can't go on while a migration runs, or after it. */
async function findHarm(migration: Migration): Promise<string[]> {
  if (typeof migration !== "function") return [];
  const statements = await listStatements(migration, "postgresql");
  const made = new Set(statements.flatMap((text) => /^create table "(\w+)"/.exec(text)?.[1] ?? []));
  const harmful = statements.filter((text) => {
    const indexed = /^create index .* on "(\w+)"/.exec(text)?.[1];
    const isRequired = text.startsWith("alter table") && text.includes(" not null") && !text.includes(" default ");
    return !ADDITION_REGEXP.test(text) || isRequired || (indexed !== undefined && !made.has(indexed));
  });
  const changed = new Set(statements.flatMap((text) => /^alter table "(\w+)"/.exec(text)?.[1] ?? []));
  return changed.size > 1 ? [...harmful, `it changes ${[...changed].join(" and ")}`] : harmful;
}

test("a function of a later version only adds, to one table", async () => {
  const later = Object.entries(MIGRATIONS).filter(([name]) => versionOf(name) !== 1);
  for (const [name, migration] of later) expect([name, await findHarm(migration)]).toEqual([name, []]);
  const text = (db: Kysely<unknown>, table: string) => db.schema.alterTable(table).addColumn("note", "text");
  for (const [up, harm] of [
    [async (db) => text(db, "users").execute(), []],
    [
      async (db) => {
        await text(db, "users").execute();
        await text(db, "zones").execute();
      },
      ["it changes users and zones"],
    ],
    [(db) => db.schema.alterTable("users").dropColumn("note").execute(), ['alter table "users" drop column "note"']],
    [
      (db) => db.schema.createIndex("users_note").on("users").column("note").execute(),
      ['create index "users_note" on "users" ("note")'],
    ],
    [
      (db) =>
        db.schema
          .alterTable("users")
          .addColumn("note", "text", (column) => column.notNull())
          .execute(),
      ['alter table "users" add column "note" text not null'],
    ],
  ] satisfies [Up, string[]][]) {
    expect(await findHarm(up)).toEqual(harm);
  }
});

describeStores((engine, database) => {
  const IDP = "00000000000000000idp";
  const TIME = "2026-01-05T09:00:00.000Z";

  /** Runs `work` on connections that know nothing of the server's schema. */
  async function connect<T>({ options }: TestDatabase, work: (db: Db) => Promise<T>): Promise<T> {
    const dialect =
      engine === "SQLite"
        ? new SqliteDialect({ database: new Database(join(options.dataFolder, DATABASE_FILE)) })
        : new PostgresDialect({ pool: new Pool({ connectionString: options.databaseUrl, max: 2 }) });
    const db: Db = new Kysely({ dialect });
    try {
      return await work(db);
    } finally {
      await db.destroy();
    }
  }

  /** Brings the schema to the version that ended with the migration `last`. */
  async function migrateTo(db: Db, last: string): Promise<void> {
    const dialect = engine === "SQLite" ? SQLITE : createPostgresDialect("test");
    const { applied } = await readProgress(db, dialect);
    const names = NAMES.slice(0, NAMES.indexOf(last) + 1).filter((name) => !applied.includes(name));
    await runAtOnce(db, dialect, names);
  }

  /** What the first version wrote. */
  async function fillFirst(db: Db): Promise<void> {
    const condition = JSON.stringify({
      userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "é.example" }] },
    });
    const action = JSON.stringify({ idp: { idpSelectionType: "SPECIFIC", providers: [{ type: "ETIQUETTE" }] } });
    const profile = JSON.stringify({
      login: "Joe@acme.example",
      email: "joe@acme.example",
      firstName: "Joe",
      lastName: "D",
    });
    const record = sql`${TIME}, ${TIME}`;
    for (const statement of [
      sql`insert into orgs (id, subdomain, name, policy_id, revision, created, last_updated)
        values ('org', 'acme', 'Acme', 'policy', 7, ${record})`,
      sql`insert into org_domains (org_id, domain, position) values ('org', 'login.acme.example', 0)`,
      sql`insert into idps (org_id, id, created, last_updated, name, type, status, protocol)
        values ('org', ${IDP}, ${record}, 'Acme', 'SAML2', 'ACTIVE', '{}')`,
      sql`insert into zones (org_id, id, created, last_updated, name, status, gateways, proxies)
        values ('org', 'zone', ${record}, 'Office', 'ACTIVE', '[]', '[]')`,
      sql`insert into rules (org_id, id, created, last_updated, name, priority, status, system, conditions, actions)
        values ('org', 'rule', ${record}, 'Rule', 1, 'ACTIVE', 0, ${condition}, ${action}),
          ('org', 'rest', ${record}, 'Rest', 2, 'ACTIVE', 1, '{}', ${action})`,
      sql`insert into users (org_id, id, created, last_updated, login, status, profile)
        values ('org', 'user', ${record}, 'joe@acme.example', 'ACTIVE', ${profile})`,
    ]) {
      await statement.execute(db);
    }
  }

  /** What the second one wrote beside it: a token, and the log. */
  async function fillSecond(db: Db): Promise<void> {
    const event = { displayMessage: "Create user", outcome: { result: "SUCCESS" } };
    for (const statement of [
      sql`insert into api_tokens (org_id, id, created, last_updated, name, hash, scopes)
        values ('org', 'token', ${TIME}, ${TIME}, 'CI', 'hash', '[]')`,
      sql`insert into log_heads (org_id, sequence, published) values ('org', 1, ${TIME})`,
      sql`insert into log_events
          (org_id, sequence, published, uuid, event_type, severity, request_id, search_text, event)
        values ('org', 1, ${TIME}, 'uuid', 'user.create', 'INFO', 'request', '', ${JSON.stringify(event)})`,
    ]) {
      await statement.execute(db);
    }
  }

  /** Tables, columns, keys, indexes and views. */
  async function describeSchema({ reader }: Store): Promise<unknown> {
    const query =
      engine === "SQLite"
        ? sql`select type, name, sql from sqlite_schema where sql is not null order by type, name`
        : sql`
          select 'column' as kind, table_name::text || '.' || column_name as name,
            concat_ws(' ', data_type, collation_name, is_nullable, column_default) as text
          from information_schema.columns where table_schema = current_schema()
          union all select 'index', indexname::text, indexdef from pg_indexes where schemaname = current_schema()
          union all select 'constraint', conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid)
            from pg_constraint where connamespace = current_schema()::regnamespace
          union all select 'view', viewname::text, definition from pg_views where schemaname = current_schema()
          order by 1, 2
        `;
    return (await query.execute(reader)).rows;
  }

  it.each(NAMES.slice(0, -1))(
    "a database that %s was the newest of gets today's schema and keeps its rows",
    async (last) => {
      const fresh = await describeSchema(await (await database({ bare: true })).open());
      const old = await database({ bare: true });
      await connect(old, async (db) => {
        await migrateTo(db, NAMES[0]!);
        await fillFirst(db);
        if (last !== NAMES[0]) {
          await migrateTo(db, NAMES[1]!);
          await fillSecond(db);
        }
        await migrateTo(db, last);
      });

      const store = await old.open();
      expect(await describeSchema(store)).toEqual(fresh);
      expect(await store.findOrgBySubdomain("acme")).toMatchObject({ id: "org", name: "Acme", status: "ACTIVE" });
      expect(await store.findOrgByDomain("login.acme.example")).toMatchObject({ id: "org" });
      expect(await store.currentRevision("org")).toBe(7);
      expect(await store.findActiveIdp("org", IDP)).toMatchObject({ name: "Acme" });
      expect(await store.findUserProfile("org", "joe@acme.example", ["firstName"])).toMatchObject({ firstName: "Joe" });
      const { rows } = await sql`select id, priority, position from rules order by id`.execute(store.reader);
      expect(rows).toEqual([
        { id: "rest", priority: 2, position: 2 },
        { id: "rule", priority: 1, position: 1 },
      ]);
      const usage = await store.reader.selectFrom("org_usage").select(["quota", "used"]).execute();
      expect(Object.fromEntries(usage.map(({ quota, used }) => [quota, used]))).toMatchObject({
        users: 1,
        idps: 1,
        zones: 1,
        rules: 1,
        patterns: 1,
        patternBytes: 10,
        idpBytes: 2,
        zoneBytes: 4,
      });
      if (last === NAMES[0]) return;
      expect(await store.findApiToken("org", "hash")).toMatchObject({ name: "CI", addresses: [] });
      const log = await sql`select "displayMessage", outcome_result from log_entries`.execute(store.reader);
      expect(log.rows).toEqual([{ displayMessage: "Create user", outcome_result: "SUCCESS" }]);
    },
  );

  it("the view of the log has the message of every type, and each fact where the event has it", async () => {
    const store = await (await database()).open();
    const facts: LogFacts = {
      path: "/path",
      query: "?query",
      method: "GET",
      status: "400",
      ip: "192.0.2.1",
      userAgent: "agent",
      os: "Linux",
      browser: "Firefox",
      device: "Computer",
      hops: null,
      zone: "zone",
      reason: "reason",
      actor: "actor",
      tokenName: "token",
      languages: ["en"],
      deviceFingerprint: "fingerprint",
    };
    const types = Object.keys(MESSAGES);
    await store.write(async ({ db }) => {
      for (const [i, type] of types.entries()) {
        await sql`
          insert into log_events
            (org_id, sequence, published, uuid, event_type, severity, request_id, search_text, event)
          values ('none', ${i}, ${TIME}, 'uuid', ${type}, 'WARN', 'request', '', ${JSON.stringify(packFacts(facts))})
        `.execute(db);
      }
    });
    const { rows } = await sql<Record<string, unknown>>`select * from log_entries order by sequence`.execute(
      store.reader,
    );
    expect(rows.map((row) => row["displayMessage"])).toEqual(Object.values(MESSAGES));
    expect(rows[0]).toMatchObject({
      outcome_result: "FAILURE",
      outcome_reason: "reason",
      actor_id: "actor",
      actor_type: "ApiToken",
      actor_displayName: "token",
      client_userAgent_rawUserAgent: "agent",
      client_userAgent_os: "Linux",
      client_userAgent_browser: "Firefox",
      client_zone: "zone",
      client_device: "Computer",
      client_ipAddress: "192.0.2.1",
      client_deviceFingerprint: "fingerprint",
    });
  });
});
