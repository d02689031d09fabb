import { sql, type Kysely } from "kysely";
import { Client } from "pg";
import { until } from "../../../test/support/until.js";
import { planMigrations } from "../../src/store/inspect/plan.js";
import { createPostgresDialect } from "../../src/store/engine/postgres-dialect.js";
import { updateSchema } from "../../src/store/engine/postgres-schema.js";
import type { Migrations } from "../../src/store/schema/migrate.js";
import { MIGRATIONS } from "../../src/store/schema/migrations/index.js";
import { nameNode } from "../../src/store/schema/nodes.js";
import { SCHEMA_VERSION } from "../../src/store/schema/versions.js";
import type { Store } from "../../src/store/store.js";
import { describeCitus, describePostgres, createOrg, type TestDatabase } from "../support/stores.js";

const DIALECT = createPostgresDialect("test");
const TIME = "2026-01-05T09:00:00.000Z";

/** A name of the version after this one, and of the one after that. */
const next = (name: string): string => `9998-${name}@${SCHEMA_VERSION + 1}`;
const afterNext = (name: string): string => `9999-${name}@${SCHEMA_VERSION + 2}`;

const COLUMN = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable("log_events")
    .addColumn("note", "text", (column) => column.notNull().defaultTo("new"))
    .execute();
};

const INDEX = { index: { name: "log_events_note", table: "log_events", columns: ["org_id", "note"] } };

const PLAIN_INDEX = { index: { name: "zones_name", table: "zones", columns: ["org_id", "name", "created"] } };

/** Two rows at a time. */
const BATCH = {
  batch: async (db: Kysely<unknown>): Promise<number> => {
    const { numAffectedRows = 0n } = await sql`
      update log_events set note = 'changed' where sequence in (
        select sequence from log_events where org_id = 'org' and note = 'new' order by sequence limit 2
      ) and org_id = 'org'
    `.execute(db);
    return Number(numAffectedRows);
  },
};

const STEPS = { [next("column")]: COLUMN, [next("index")]: INDEX, [next("plain")]: PLAIN_INDEX, [next("rows")]: BATCH };

for (const [title, describeOn] of [
  ["PostgreSQL", describePostgres],
  ["Citus", describeCitus],
] as const) {
  describeOn((_engine, database) => {
    async function prepare(): Promise<{ store: Store; options: TestDatabase["options"] }> {
      const { open, options } = await database({ bare: true });
      const store = await open();
      await createOrg(store, { subdomain: "acme", name: "Acme" });
      for (let sequence = 0; sequence < 5; sequence++) {
        await sql`
          insert into log_events (org_id, sequence, published, uuid, event_type, severity, request_id, search_text, event)
          values ('org', ${sequence}, ${TIME}, 'uuid', 'type', 'INFO', 'request', '', '{}')
        `.execute(store.reader);
      }
      return { store, options };
    }

    function run(
      { options, store }: { options: TestDatabase["options"]; store: Store },
      added: Migrations,
      report?: (line: string) => void,
    ): Promise<unknown> {
      const connection = { connectionString: options.databaseUrl };
      const migrations = { ...MIGRATIONS, ...added };
      return updateSchema(connection, store.reader, { dialect: DIALECT, onError: () => undefined, migrations, report });
    }

    const listRun = async ({ reader }: Store): Promise<string[]> => {
      const { rows } = await sql<{ name: string }>`
        select name from kysely_migration where name like '999%' order by timestamp, name
      `.execute(reader);
      return rows.map(({ name }) => name);
    };

    /** Of an index and its parts: how many are whole, and how many are not. */
    const countIndexes = async ({ reader }: Store, name: string): Promise<unknown> =>
      (
        await sql`
          select count(*) filter (where indisvalid)::int as whole, count(*) filter (where not indisvalid)::int as broken
          from pg_index where indexrelid::regclass::text like ${`%${name}`}
        `.execute(reader)
      ).rows[0];

    it(`on ${title} a column, indexes and rows change in steps, each recorded`, async () => {
      const place = await prepare();
      const { store } = place;
      const partitions = await sql`select from pg_inherits where inhparent = 'log_events'::regclass`.execute(
        store.reader,
      );
      const told: string[] = [];
      await run(place, STEPS, (line) => told.push(line.replace(/ in \d+ ms$/, "")));
      expect(told).toEqual(Object.keys(STEPS).map((name) => `${name}: done`));
      expect((await listRun(store)).toSorted()).toEqual(Object.keys(STEPS).toSorted());
      expect(await countIndexes(store, "log_events_note")).toEqual({ whole: partitions.rows.length + 1, broken: 0 });
      const [step] = await planMigrations(["0008-log-sizes"], place.options.databaseUrl);
      expect(step?.tables).toEqual([{ name: "log_heads", bytes: expect.any(Number) }]);
      expect(await countIndexes(store, "zones_name")).toMatchObject({ broken: 0 });
      const { rows } = await sql`select distinct note from log_events`.execute(store.reader);
      expect(rows).toEqual([{ note: "changed" }]);
      await run(place, STEPS, () => told.push("again"));
      expect(told).not.toContain("again");
    });

    it(`on ${title} what a killed run began is gone on with`, async () => {
      const place = await prepare();
      const { store } = place;
      await run(place, { [next("column")]: COLUMN });
      // equal rows keep a unique index from being whole, as the end of its process would
      const broken = sql`create unique index concurrently log_events_rest_log_events_note on log_events_rest (org_id, note)`;
      await expect(broken.execute(store.reader)).rejects.toThrow(/could not create unique index|duplicate/);
      expect(await countIndexes(store, "log_events_note")).toMatchObject({ broken: 1 });
      let batches = 0;
      const failing = {
        batch: (db: Kysely<unknown>) => {
          if (++batches === 2) throw new Error("killed");
          return BATCH.batch(db);
        },
      };
      await expect(run(place, { ...STEPS, [next("rows")]: failing })).rejects.toMatchObject({
        name: "StoreError",
        message: `The migration ${next("rows")} ended, and can be started again: killed`,
      });
      expect(await countIndexes(store, "log_events_note")).toMatchObject({ broken: 0 });
      expect(await listRun(store)).not.toContain(next("rows"));
      await run(place, STEPS);
      expect(await listRun(store)).toContain(next("rows"));
      const { rows } = await sql`select note, count(*)::int as count from log_events group by note`.execute(
        store.reader,
      );
      expect(rows).toEqual([{ note: "changed", count: 5 }]);
    });

    if (title === "Citus") return; // the others are about the coordinator alone

    it(`on ${title} a change waits for a transaction that uses its table, and others go on meanwhile`, async () => {
      const place = await prepare();
      const { store } = place;
      const client = new Client({ connectionString: place.options.databaseUrl });
      await client.connect();
      await client.query("begin");
      await client.query("update zones set name = name");
      let isDone = false;
      const change = async (db: Kysely<unknown>) => {
        await sql`alter table zones add column note text`.execute(db);
      };
      const running = run(place, { [next("zones")]: change }).then(() => (isDone = true));
      for (let tries = 0; tries < 10; tries++) {
        await store.read(async (db) => {
          await sql`set local lock_timeout = '2s'`.execute(db);
          await sql`select count(*) from zones`.execute(db);
        });
      }
      expect(isDone).toBe(false);
      await client.query("commit");
      await client.end();
      await running;
      expect(await listRun(store)).toEqual([next("zones")]);
    });

    it(`on ${title} of two that migrate at once one waits, and says so`, async () => {
      const place = await prepare();
      const told: string[] = [];
      const report = (line: string): void => void told.push(line.replace(/ in \d+ ms$/, ""));
      const waiting = "Another process changes the schema; waiting for it";
      const slow = {
        batch: async (): Promise<number> => {
          await until(() => told.includes(waiting));
          return 0;
        },
      };
      const steps = { [next("slow")]: slow, ...STEPS };
      await Promise.all([run(place, steps, report), run(place, steps, report)]);
      expect(told.toSorted()).toEqual([waiting, ...Object.keys(steps).map((name) => `${name}: done`)].toSorted());
    });

    it("a store that is not to migrate refuses a database that lacks something", async () => {
      const { open } = await database({ bare: true });
      await expect(open({ migrate: false })).rejects.toMatchObject({
        name: "StoreError",
        message: expect.stringMatching(
          /^The database lacks 0001-discovery, .*: run the command migrate before the server starts$/,
        ),
      });
      await open();
      await open({ migrate: false });
    });

    it(`on ${title} nodes that are two versions older must stop first`, async () => {
      const place = await prepare();
      const { store, options } = place;
      const node = new Client({ connectionString: options.databaseUrl, application_name: nameNode(SCHEMA_VERSION) });
      await node.connect();
      await run(place, { [next("column")]: COLUMN });
      const steps = {
        [next("column")]: COLUMN,
        [afterNext("drop")]: {
          contract: (db: Kysely<unknown>) => db.schema.alterTable("log_events").dropColumn("note").execute(),
        },
      };
      await expect(run(place, steps)).rejects.toMatchObject({
        name: "StoreError",
        message: expect.stringMatching(
          new RegExp(
            `^Servers of version ${SCHEMA_VERSION} of the schema use the database; this one has ${SCHEMA_VERSION + 2}`,
          ),
        ),
      });
      await node.end();
      await until(
        async () =>
          await run(place, steps).then(
            () => true,
            () => false,
          ),
      );
      expect(await listRun(store)).toContain(afterNext("drop"));
    });
  });
}
