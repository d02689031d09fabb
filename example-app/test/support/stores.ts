import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describeIf } from "../../../test/support/requirements.js";
import { buildOrg, type NewOrg } from "../../src/model/orgs.js";
import type { Org } from "../../src/model/records.js";
import { insertOrg } from "../../src/store/orgs.js";
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

type Declare = (engine: "SQLite" | "PostgreSQL", database: () => Promise<TestDatabase>) => void;

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
    const free: string[] = [];
    const used: string[] = [];

    /** To make and to drop a database costs far more than to empty one. */
    async function create(): Promise<{ databaseUrl: string }> {
      const name = free.pop() ?? `etq_${randomBytes(6).toString("hex")}`;
      if (!created.has(name)) await administrate(`create database ${name}`);
      created.add(name);
      used.push(name);
      return { databaseUrl: urlOf(name) };
    }

    async function recycle(): Promise<void> {
      for (const name of used.splice(0)) {
        await administrate("drop schema public cascade; create schema public", urlOf(name));
        free.push(name);
      }
    }

    const created = new Set<string>();
    const { prepare, release } = prepareStores({ create, recycle });
    declare("PostgreSQL", prepare);
    afterEach(release); // after the hooks of the tests, which close their servers
    afterAll(async () => {
      for (const name of created) await administrate(`drop database ${name} with (force)`);
    });
  });
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

function urlOf(database: string): string {
  return Object.assign(new URL(String(POSTGRES_URL)), { pathname: `/${database}` }).href;
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
  create(): Promise<{ databaseUrl?: string }>;
  /** Called after each test, when its stores are closed. */
  recycle(): Promise<void>;
}

function prepareStores(databases: Databases) {
  const parent = makeFolder();
  const opened: Store[] = [];

  return {
    prepare: async (): Promise<TestDatabase> => {
      const options = { dataFolder: mkdtempSync(join(parent, "data-")), ...(await databases.create()) };
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
      for (const store of opened.splice(0)) await store.close();
      await databases.recycle();
    },
  };
}
