import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeIf } from "../../../test/support/requirements.js";
import { createTestCertificate } from "../../../test/support/tls.js";
import { buildOrg, type NewOrg } from "../../src/model/orgs.js";
import type { Org } from "../../src/model/records.js";
import { insertOrg } from "../../src/store/records/orgs.js";
import { DATABASE_FILE } from "../../src/store/engine/sqlite.js";
import { openStore, type Store } from "../../src/store/store.js";
import type { StoreOptions } from "../../src/store/contract/options.js";
import { administrate, POSTGRES_URL } from "./administrate.js";
import { CITUS_URL } from "./citus.js";
import {
  createCitus,
  createPostgres,
  disconnectDatabases,
  nameDatabase,
  takeDatabase,
  type EmptyDatabase,
} from "./databases.js";
import { reach } from "./pool.js";

export { administrate, nameDatabase };

/** A database of its own for one test. */
export interface TestDatabase {
  /** What `openStore` takes to reach it, from any process; and a certificate, because to make one takes a third of a start. */
  readonly options: { databaseUrl?: string; dataFolder: string; tlsFiles?: { cert: string; key: string } };
  /** Opens another store on it, closed after the test. */
  readonly open: (options?: Partial<StoreOptions>) => Promise<Store>;
}

jest.setTimeout(60_000); // these tests wait for disks and processes
// on a busy machine they may take longer than anybody waits; the summary names what passed at the second try
if (process.env["CI"]) jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });

interface DatabaseNeed {
  /**
   * Whether the database has no tables yet and the folder no files. Tests that change the schema need that too.
   *
   * @default false, all tables are there and empty
   */
  bare?: boolean;
}

export type Engine = "SQLite" | "PostgreSQL";

type Declare = (engine: Engine, database: (need?: DatabaseNeed) => Promise<TestDatabase>) => void;

/**
 * Declares the tests once for each engine; `database()` gives an empty database, until the hook `after` runs: to a test,
 * or with `afterAll` to all of them. With `TEST_CITUS` they run on a Citus cluster instead, with `TEST_STORES=SQLite` on
 * SQLite alone, except on two nodes.
 */
export function describeStores(declare: Declare, after = afterEach): void {
  if (process.env["TEST_CITUS"] !== undefined) {
    describeCitus(declare, after);
    return;
  }
  if (process.env["TEST_NODES"] === undefined) {
    describe("on SQLite", () => {
      const { prepare, release } = prepareStores({
        create: () => Promise.resolve({}),
        keeps: () => false,
        recycle: () => Promise.resolve(),
      });
      declare("SQLite", prepare);
      after(release);
    });
    if (process.env["TEST_STORES"] === "SQLite" || runsOnOtherPostgres()) return;
  }
  describePostgres(declare, after);
}

/** Whether these tests run on Citus, see jest.config.js: on PostgreSQL, too, they would tell no more. */
function runsOnOtherPostgres(): boolean {
  return (
    CITUS_URL !== undefined &&
    /[\\/]test[\\/](access|admission|audit|metadata|monitoring|resources|rest|tenancy|web)[\\/]/.test(
      String(expect.getState().testPath),
    )
  );
}

/**
 * Declares tests for PostgreSQL alone; they need `DATABASE_URL`, with the right to create databases. With `TEST_CITUS` they are
 * left to the run without.
 */
export function describePostgres(declare: Declare, after = afterEach): void {
  if (process.env["TEST_CITUS"] !== undefined) return;
  const need = "DATABASE_URL, the address of a PostgreSQL database";
  describeUnlessSqlite(POSTGRES_URL !== undefined, "on PostgreSQL", need, () => {
    declareOn(createPostgres, declare, after);
  });
}

/** Declares tests for PostgreSQL with Citus; they need `CITUS_URL`, with the right to create databases on all nodes. */
export function describeCitus(declare: Declare, after = afterEach): void {
  const need = "CITUS_URL, the address of the coordinator of a Citus cluster";
  describeUnlessSqlite(CITUS_URL !== undefined, "on Citus", need, () => {
    declareOn(createCitus, declare, after);
  });
}

function describeUnlessSqlite(isThere: boolean, title: string, need: string, block: () => void): void {
  if (process.env["TEST_STORES"] === "SQLite") describe.skip(`${title} (not run: needs a run on all stores)`, block);
  else describeIf(isThere, title, need, block);
}

function declareOn(createDatabase: () => Promise<EmptyDatabase>, declare: Declare, after: typeof afterEach): void {
  const used: EmptyDatabase[] = [];
  const { prepare, release } = prepareStores({
    async create(isBare) {
      const database = await takeDatabase(createDatabase);
      used.push(database);
      if (isBare) {
        await closeHelpers((place) => place === database.url);
        await database.dropTables();
      }
      database.isBare = isBare;
      return { databaseUrl: database.url };
    },
    keeps: (place) => !used.some(({ url, isBare }) => isBare && url === place),
    async recycle() {
      for (const database of used.splice(0)) {
        await (database.isBare ? database.dropTables() : database.deleteRows());
        database.isUsed = false;
      }
    },
  });
  declare("PostgreSQL", prepare);
  after(release); // after the hooks of the tests, which close their servers
  afterAll(async () => {
    await closeHelpers(() => true);
    await disconnectDatabases();
  });
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
  /** Whether the next test finds the same tables there. To open a store takes five sessions of PostgreSQL. */
  keeps(place: string): boolean;
  /** Called when the stores of the test, or of those that shared the database, are closed. */
  recycle(): Promise<void>;
}

/** Stores that functions of this folder use beside the tests, by the database. */
const helpers = new Map<string, Promise<Store>>();

/** Runs `work` on a store of its own, the same for all calls of a test; on PostgreSQL, for all tests of a file. */
export async function withStore<T>(options: TestDatabase["options"], work: (store: Store) => Promise<T>): Promise<T> {
  const key = placeOf(options);
  const helper = helpers.get(key) ?? openStore(reach(options));
  if (databasesInUse.has(options)) helpers.set(key, helper);
  const store = await helper;
  try {
    return await work(store);
  } finally {
    if (!helpers.has(key)) await store.close();
  }
}

const placeOf = ({ databaseUrl, dataFolder }: TestDatabase["options"]): string => databaseUrl ?? dataFolder;

/** Closes those of some databases. */
async function closeHelpers(isOver: (place: string) => boolean): Promise<void> {
  for (const [place, helper] of helpers) {
    if (!isOver(place)) continue;
    helpers.delete(place);
    await (await helper).close();
  }
}

const databasesInUse = new Set<TestDatabase["options"]>();

/** Makes an empty database with all tables, and a certificate. */
async function fillTemplate(folder: string): Promise<{ tlsFiles: { cert: string; key: string } }> {
  await (await openStore({ dataFolder: folder })).close();
  const { cert, key } = await createTestCertificate();
  const tlsFiles = { cert: join(folder, "given.crt"), key: join(folder, "given.key") };
  writeFileSync(tlsFiles.cert, cert);
  writeFileSync(tlsFiles.key, key);
  return { tlsFiles };
}

function prepareStores(databases: Databases) {
  const parent = makeFolder();
  const opened: Store[] = [];
  const template = join(parent, "template");
  let given: ReturnType<typeof fillTemplate> | undefined;

  return {
    prepare: async ({ bare = false }: DatabaseNeed = {}): Promise<TestDatabase> => {
      const dataFolder = mkdtempSync(join(parent, "data-"));
      const more = bare ? {} : await (given ??= fillTemplate(template));
      if (!bare) copyFileSync(join(template, DATABASE_FILE), join(dataFolder, DATABASE_FILE));
      const options = { dataFolder, ...more, ...(await databases.create(bare)) };
      databasesInUse.add(options);
      return {
        options,
        async open(more) {
          const store = await openStore({ ...reach(options), ...more });
          opened.push(store);
          return store;
        },
      };
    },

    release: async (): Promise<void> => {
      for (const store of opened.splice(0)) await store.close();
      await closeHelpers((place) => !databases.keeps(place));
      databasesInUse.clear();
      await databases.recycle();
    },
  };
}
