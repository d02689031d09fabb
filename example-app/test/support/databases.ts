import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { administrate, POSTGRES_URL } from "./administrate.js";
import { createOnNodes } from "./citus.js";

/*
 * A process keeps this module, and the databases in it, for all of its test files: to make and to drop a database costs far
 * more than to empty it. drop-databases.js drops them after the run.
 */

/** A database of PostgreSQL that tests have in turns. */
export interface EmptyDatabase {
  readonly url: string;
  isUsed: boolean;
  isBare: boolean;
  dropTables(): Promise<void>;
  deleteRows(): Promise<void>;
  /** Close the connection that empties it, until it is needed again. */
  disconnect(): Promise<void>;
}

type Create = () => Promise<EmptyDatabase>;

/** By the function that made them. */
const kept = new Map<Create, EmptyDatabase[]>();

/** An empty database that nobody else has while it `isUsed`. */
export async function takeDatabase(create: Create): Promise<EmptyDatabase> {
  let databases = kept.get(create);
  if (!databases) kept.set(create, (databases = []));
  let database = databases.find(({ isUsed }) => !isUsed);
  if (!database) databases.push((database = await create()));
  database.isUsed = true;
  return database;
}

/** After each test file, so that nothing keeps the process from its end. */
export async function disconnectDatabases(): Promise<void> {
  for (const database of [...kept.values()].flat()) await database.disconnect();
}

export async function createPostgres(): Promise<EmptyDatabase> {
  const name = nameDatabase();
  await administrate(`create database ${name}`);
  await administrate(`alter database ${name} set synchronous_commit = off`); // no test needs what is on the disk
  const url = Object.assign(new URL(String(POSTGRES_URL)), { pathname: `/${name}` }).href;
  return emptied(url);
}

export async function createCitus(): Promise<EmptyDatabase> {
  const { url, join } = await createOnNodes(nameDatabase());
  await join();
  return emptied(url);
}

/** The name that a database of this run has. */
export function nameDatabase(): string {
  return `etq_${String(process.env["TEST_RUN"])}_${randomBytes(6).toString("hex")}`;
}

/** The relations that are not of an extension. */
const RELATIONS = `
  select relname as name, relkind = 'v' as is_view from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
  order by relname <> 'orgs'`;

function emptied(url: string): EmptyDatabase {
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

  /** To delete from the tables that the server makes; to find them takes longer. */
  let deletion = "";

  const list = () => query<{ name: string; is_view: boolean }>(RELATIONS);
  return {
    url,
    isUsed: false,
    isBare: false,
    async dropTables() {
      const relations = await list();
      const views = relations.filter(({ is_view }) => is_view).map(({ name }) => `drop view ${name}`);
      const tables = relations.filter(({ is_view }) => !is_view).map(({ name }) => name);
      const drops = tables.length === 0 ? views : [...views, `drop table ${tables.join(", ")} cascade`];
      await query(drops.join("; "));
      deletion = "";
    },
    async deleteRows() {
      if (deletion === "") {
        const tables = (await list()).filter(({ name, is_view }) => !is_view && !name.startsWith("kysely"));
        deletion = tables.map(({ name }) => `delete from ${name}`).join("; ");
      }
      await query(deletion);
    },
    async disconnect() {
      await client?.end();
      client = undefined;
    },
  };
}
