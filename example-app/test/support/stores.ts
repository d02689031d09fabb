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

/** A database of its own for one test. */
export interface TestDatabase {
  /** What `openStore` takes to reach it, from any process. */
  readonly options: { databaseUrl?: string; dataFolder: string };
  /** Opens another store on it, closed after the test. */
  readonly open: (options?: Partial<StoreOptions>) => Promise<Store>;
}

jest.setTimeout(60_000); // these tests wait for disks and processes

const POSTGRES_URL = process.env["DATABASE_URL"];

interface DatabaseNeed {
  /**
   * Whether the database has no tables yet and the folder no files. Tests that change the schema need that too.
   *
   * @default false, all tables are there and empty
   */
  bare?: boolean;
}

type Declare = (engine: "SQLite" | "PostgreSQL", database: (need?: DatabaseNeed) => Promise<TestDatabase>) => void;

/** Declares the tests once for each engine; `database()` gives a test an empty database. */
export function describeStores(declare: Declare): void {
  if (process.env["TEST_NODES"] === undefined) {
    describe("on SQLite", () => {
      const { prepare, release } = prepareStores({
        create: () => Promise.resolve({}),
        recycle: () => Promise.resolve(),
      });
      declare("SQLite", prepare);
      afterEach(release);
    });
  }
  describePostgres(declare);
}

/** Declares tests for PostgreSQL alone; they need `DATABASE_URL`, with the right to create databases. */
export function describePostgres(declare: Declare): void {
  const need = "DATABASE_URL, the address of a PostgreSQL database";
  describeIf(POSTGRES_URL !== undefined, "on PostgreSQL", need, () => {
    const databases: EmptyDatabase[] = [];
    const { prepare, release } = prepareStores({
      async create(isBare) {
        let database = databases.find(({ isUsed }) => !isUsed);
        if (!database) databases.push((database = await createDatabase()));
        database.isUsed = true;
        if (isBare) await database.dropTables();
        database.isBare = isBare;
        return { databaseUrl: database.url };
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
  });
}

/** A database that is made once for a test file, because to make and to drop one costs far more than to empty it. */
interface EmptyDatabase {
  readonly url: string;
  isUsed: boolean;
  isBare: boolean;
  dropTables(): Promise<void>;
  deleteRows(): Promise<void>;
  drop(): Promise<void>;
}

async function createDatabase(): Promise<EmptyDatabase> {
  const name = `etq_${randomBytes(6).toString("hex")}`;
  await administrate(`create database ${name}`);
  const url = Object.assign(new URL(String(POSTGRES_URL)), { pathname: `/${name}` }).href;
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

  return {
    url,
    isUsed: false,
    isBare: false,
    async dropTables() {
      await query("drop schema public cascade; create schema public");
    },
    async deleteRows() {
      const tables = await query<{ name: string }>(
        "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname !~ '^kysely' order by relname <> 'orgs'",
      );
      await query(tables.map(({ name: table }) => `delete from ${table}`).join("; "));
    },
    async drop() {
      await client?.end();
      await administrate(`drop database ${name} with (force)`);
    },
  };
}

/** Runs `sql` on the database of `DATABASE_URL`, or another one. */
export async function administrate(sql: string, databaseUrl = String(POSTGRES_URL)): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
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
  create(isBare: boolean): Promise<{ databaseUrl?: string }>;
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
