import { sql, type Kysely } from "kysely";
import { createPostgresDialect } from "../../src/store/engine/postgres-dialect.js";
import { DISTRIBUTED_TABLES } from "../../src/store/schema/distribution.js";
import { MIGRATIONS } from "../../src/store/schema/migrations/index.js";
import { updateSchema } from "../../src/store/engine/postgres-schema.js";
import { openStore, type Store } from "../../src/store/store.js";
import { createOrg, describeCitus, describePostgres } from "../support/stores.js";

/** How each table is kept: `reference`, `distributed` with its column, or `local`. */
async function readKinds({ reader }: Pick<Store, "reader">): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; kind: string; key: string }>`
    select table_name::text as name, citus_table_type as kind, distribution_column as key from citus_tables
  `.execute(reader);
  return Object.fromEntries(
    rows.map(({ name, kind, key }) => [name, kind === "distributed" ? `${kind} by ${key}` : kind]),
  );
}

/** The columns by which tables are distributed that don't belong to orgs. */
const OTHER_KEYS: Readonly<Record<string, string>> = { rate_counts: "key", leases: "name" };

const kindOf = (table: string): string =>
  table === "orgs" || table === "org_domains" ? "reference" : `distributed by ${OTHER_KEYS[table] ?? "org_id"}`;

const KINDS = Object.fromEntries(DISTRIBUTED_TABLES.map((table) => [table, kindOf(table)]));

describePostgres((_engine, database) => {
  it("distributes every table of the migrations", async () => {
    const store = await (await database()).open();
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname !~ '^kysely'
    `.execute(store.reader);
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...DISTRIBUTED_TABLES].toSorted());
  });
});

describeCitus((_engine, database) => {
  it("distributes the tables of an empty database when it opens", async () => {
    const { open } = await database({ bare: true });
    const [store] = await Promise.all([open(), open(), open()]);
    expect(await readKinds(store)).toEqual({ ...KINDS, log_events_rest: kindOf("log_events") });
    const { rows } = await sql`
      select count(distinct colocationid) as groups from pg_dist_partition where partkey is not null
    `.execute(store.reader);
    expect(rows).toEqual([{ groups: 3 }]); // all tables of orgs, the counts, and the leases
    const keys = await sql`select from pg_constraint where conname = 'console_sessions_token'`.execute(store.reader);
    expect(keys.rows).toHaveLength(1);
  });

  it("refuses a replica for reads, and says why", async () => {
    const { options } = await database();
    const readUrl = options.databaseUrl;
    await expect(openStore({ ...options, readUrl })).rejects.toMatchObject({
      name: "StoreError",
      message: "A distributed database (Citus) can't be read from a replica: its rows are on the workers",
    });
  });

  it("takes a migration that adds a column, an index and a table", async () => {
    const { open, options } = await database({ bare: true });
    const store = await open();
    const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
    const dialect = createPostgresDialect("test");
    const { text } = dialect;
    const up = async (db: Kysely<unknown>): Promise<void> => {
      await db.schema
        .alterTable("rules")
        .addColumn("note", text, (column) => column.notNull().defaultTo("new"))
        .execute();
      await db.schema.createIndex("rules_note").on("rules").columns(["org_id", "note"]).execute();
      await db.schema
        .createTable("badges")
        .addColumn("org_id", text, (column) => column.notNull().references("orgs.id").onDelete("cascade"))
        .addColumn("name", text, (column) => column.notNull())
        .addPrimaryKeyConstraint("badges_pk", ["org_id", "name"])
        .execute();
      await sql`insert into badges select org_id, note from rules`.execute(db);
    };
    await updateSchema({ connectionString: options.databaseUrl }, store.reader, {
      dialect,
      onError: () => undefined,
      migrations: { ...MIGRATIONS, "9999-later": up },
    });

    const { rows } = await sql`select * from badges natural join (select org_id, note from rules) as noted`.execute(
      store.reader,
    );
    expect(rows).toEqual([{ org_id: id, name: "new", note: "new" }]);
  });

  it("distributes a table that a migration added to a distributed database", async () => {
    const { open, options } = await database();
    const store = await open();
    await createOrg(store, { subdomain: "acme", name: "Acme" });
    await sql`select undistribute_table('rate_counts')`.execute(store.reader); // as a migration leaves it
    expect(await readKinds(store)).not.toHaveProperty("rate_counts");
    await (await openStore(options)).close();
    expect(await readKinds(store)).toMatchObject(KINDS);
  });
});
