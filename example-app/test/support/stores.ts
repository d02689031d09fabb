import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describeIf } from "../../../test/support/requirements.js";
import { buildOrg, type NewOrg } from "../../src/model/orgs.js";
import type { Org } from "../../src/model/records.js";
import { generateCertificate, PAIR_FILE } from "../../src/program/certificate.js";
import { insertOrg } from "../../src/store/orgs.js";
import { DATABASE_FILE } from "../../src/store/sqlite.js";
import { openStore, type Store, type StoreOptions } from "../../src/store/store.js";
import { administrate, POSTGRES_URL } from "./administrate.js";
import { CITUS_URL, createOnNodes } from "./citus.js";

export { administrate };

/** A database of its own for one test. */
export interface TestDatabase {
  /** What `openStore` takes to reach it, from any process. */
  readonly options: { databaseUrl?: string; listenUrl?: string | undefined; dataFolder: string };
  /** Opens another store on it, closed after the test. */
  readonly open: (options?: Partial<StoreOptions>) => Promise<Store>;
}

jest.setTimeout(60_000); // these tests wait for disks and processes

/** With `TEST_POOL` all servers of the tests reach PostgreSQL through the PgBouncer of `PGBOUNCER_URL`, if there is one. */
const POOL_URL = process.env["TEST_POOL"] === undefined ? undefined : process.env["PGBOUNCER_URL"];

interface DatabaseNeed {
  /**
   * Whether the database has no tables yet and the folder no files. Tests that change the schema need that too.
   *
   * @default false, all tables are there and empty
   */
  bare?: boolean;
}

type Declare = (engine: "SQLite" | "PostgreSQL", database: (need?: DatabaseNeed) => Promise<TestDatabase>) => void;

/**
 * Declares the tests once for each engine; `database()` gives a test an empty database. With `TEST_CITUS` they run on a
 * Citus cluster instead, with `TEST_STORES=SQLite` on SQLite alone, except on two nodes.
 */
export function describeStores(declare: Declare): void {
  if (process.env["TEST_CITUS"] !== undefined) {
    describeCitus(declare);
    return;
  }
  if (process.env["TEST_NODES"] === undefined) {
    describe("on SQLite", () => {
      const { prepare, release } = prepareStores({
        create: () => Promise.resolve({}),
        recycle: () => Promise.resolve(),
      });
      declare("SQLite", prepare);
      afterEach(release);
    });
    if (process.env["TEST_STORES"] === "SQLite") return;
  }
  describePostgres(declare);
}

/** Declares tests for PostgreSQL alone; they need `DATABASE_URL`, with the right to create databases. */
export function describePostgres(declare: Declare): void {
  const need = "DATABASE_URL, the address of a PostgreSQL database";
  describeIf(POSTGRES_URL !== undefined, "on PostgreSQL", need, () => {
    declareOn(createPostgres, declare);
  });
}

/** Declares tests for PostgreSQL with Citus; they need `CITUS_URL`, with the right to create databases on all nodes. */
export function describeCitus(declare: Declare): void {
  const need = "CITUS_URL, the address of the coordinator of a Citus cluster";
  const block = (): void => {
    declareOn(createCitus, declare);
  };
  if (process.env["TEST_STORES"] === "SQLite") describe.skip("on Citus (not run: needs a run on all stores)", block);
  else describeIf(CITUS_URL !== undefined, "on Citus", need, block);
}

function declareOn(createDatabase: () => Promise<EmptyDatabase>, declare: Declare): void {
  const databases: EmptyDatabase[] = [];
  const { prepare, release } = prepareStores({
    async create(isBare) {
      let database = databases.find(({ isUsed }) => !isUsed);
      if (!database) databases.push((database = await createDatabase()));
      database.isUsed = true;
      if (isBare) await database.dropTables();
      database.isBare = isBare;
      return database.options;
    },
    async recycle() {
      for (const database of databases.filter(({ isUsed }) => isUsed)) {
        await (database.isBare ? database.dropTables() : database.deleteRows());
        database.isUsed = false;
      }
    },
  });
  declare("PostgreSQL", prepare);
  afterEach(release); // after the hooks of the tests, which close their servers
  afterAll(async () => {
    for (const database of databases) await database.drop();
  });
}

/** The database of `url` through a PgBouncer. */
export function throughPool(poolUrl: string, url: string): { databaseUrl: string; listenUrl: string } {
  const { pathname } = new URL(url);
  return { databaseUrl: Object.assign(new URL(poolUrl), { pathname }).href, listenUrl: url };
}

/** A database that is made once for a test file, because to make and to drop one costs far more than to empty it. */
interface EmptyDatabase {
  readonly options: { readonly databaseUrl: string; readonly listenUrl?: string };
  isUsed: boolean;
  isBare: boolean;
  dropTables(): Promise<void>;
  deleteRows(): Promise<void>;
  drop(): Promise<void>;
}

async function createPostgres(): Promise<EmptyDatabase> {
  const name = nameDatabase();
  await administrate(`create database ${name}`);
  const url = Object.assign(new URL(String(POSTGRES_URL)), { pathname: `/${name}` }).href;
  const options = POOL_URL === undefined ? { databaseUrl: url } : throughPool(POOL_URL, url);
  return emptied(url, options, () => administrate(`drop database ${name} with (force)`));
}

async function createCitus(): Promise<EmptyDatabase> {
  const { url, join, drop } = await createOnNodes(nameDatabase());
  await join();
  return emptied(url, { databaseUrl: url }, drop);
}

export function nameDatabase(): string {
  return `etq_${randomBytes(6).toString("hex")}`;
}

/** The relations that are not of an extension. */
const RELATIONS = `
  select relname as name, relkind = 'v' as is_view from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
  order by relname <> 'orgs'`;

function emptied(url: string, options: EmptyDatabase["options"], drop: () => Promise<unknown>): EmptyDatabase {
  let client: Client | undefined;

  async function query<Row extends object>(sql: string): Promise<Row[]> {
    try {
      return await ask(sql);
    } catch {
      client = undefined; // a test ended all connections
      return ask(sql);
    }
  }

  async function ask<Row extends object>(sql: string): Promise<Row[]> {
    if (!client) {
      client = new Client({ connectionString: url });
      client.on("error", () => (client = undefined));
      await client.connect();
    }
    return (await client.query<Row>(sql)).rows;
  }

  const list = () => query<{ name: string; is_view: boolean }>(RELATIONS);
  return {
    options,
    isUsed: false,
    isBare: false,
    async dropTables() {
      const relations = await list();
      const views = relations.filter(({ is_view }) => is_view).map(({ name }) => `drop view ${name}`);
      const tables = relations.filter(({ is_view }) => !is_view).map(({ name }) => name);
      const drops = tables.length === 0 ? views : [...views, `drop table ${tables.join(", ")} cascade`];
      await query(drops.join("; "));
    },
    async deleteRows() {
      const tables = (await list()).filter(({ name, is_view }) => !is_view && !name.startsWith("kysely"));
      await query(tables.map(({ name }) => `delete from ${name}`).join("; "));
    },
    async drop() {
      await client?.end();
      await drop();
    },
  };
}

/** An org with its policy and default rule, and nothing else. */
export function createOrg(store: Store, values: NewOrg): Promise<Org> {
  return store.write(async (transaction) => {
    const created = buildOrg(values, transaction.now);
    await insertOrg(transaction, created);
    return created.org;
  });
}

/** An empty folder for one test file, removed after it. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "etiquette-"));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

interface Databases {
  create(isBare: boolean): Promise<{ databaseUrl?: string; listenUrl?: string }>;
  /** Called after each test, when its stores are closed. */
  recycle(): Promise<void>;
}

/** Stores that functions of this folder use beside the tests; closed after the test. */
const helpers = new Map<TestDatabase["options"], Promise<Store>>();

/** Runs `work` on a store of its own, the same for all calls of a test. */
export async function withStore<T>(options: TestDatabase["options"], work: (store: Store) => Promise<T>): Promise<T> {
  const helper = helpers.get(options) ?? openStore(options);
  if (databasesInUse.has(options)) helpers.set(options, helper);
  const store = await helper;
  try {
    return await work(store);
  } finally {
    if (!helpers.has(options)) await store.close();
  }
}

const databasesInUse = new Set<TestDatabase["options"]>();

/** What a start leaves in its folder: an empty database with all tables, and the authority of the certificate. */
async function fillTemplate(folder: string): Promise<string[]> {
  await (await openStore({ dataFolder: folder })).close();
  await generateCertificate(folder, ["localhost"]);
  return [DATABASE_FILE, PAIR_FILE];
}

function prepareStores(databases: Databases) {
  const parent = makeFolder();
  const opened: Store[] = [];
  const template = join(parent, "template");
  let files: Promise<string[]> | undefined;

  return {
    prepare: async ({ bare = false }: DatabaseNeed = {}): Promise<TestDatabase> => {
      const options = { dataFolder: mkdtempSync(join(parent, "data-")), ...(await databases.create(bare)) };
      databasesInUse.add(options);
      for (const file of bare ? [] : await (files ??= fillTemplate(template))) {
        copyFileSync(join(template, file), join(options.dataFolder, file));
      }
      return {
        options,
        async open(more) {
          const store = await openStore({ ...options, ...more });
          opened.push(store);
          return store;
        },
      };
    },

    release: async (): Promise<void> => {
      for (const store of [...opened.splice(0), ...(await Promise.all(helpers.values()))]) await store.close();
      helpers.clear();
      databasesInUse.clear();
      await databases.recycle();
    },
  };
}
