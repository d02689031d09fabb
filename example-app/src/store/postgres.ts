import { randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Client, Pool, types, type ClientConfig } from "pg";
import { ANY_ORG, CHANNEL, createPostgresDialect, type ChangeListener, type Engine, type Watcher } from "./dialects.js";
import { messageOf, StoreError } from "./errors.js";
import { migrate } from "./migrations.js";
import type { Db, Tables } from "./schema.js";

const URL_REGEXP = /^postgres(?:ql)?:\/\//;

/** `server_version_num` of PostgreSQL 15. */
const MIN_SERVER_VERSION = 150_000;

const MIN_RECONNECT_MS = 100;
const MAX_RECONNECT_MS = 5_000;

/** `count(*)` and `bigint` are int8, which pg returns as text. All values here are far below 2⁵³. */
function getTypeParser(...[oid, format]: Parameters<typeof types.getTypeParser>): (text: never) => unknown {
  return oid === types.builtins.INT8 ? Number : (types.getTypeParser(oid, format) as (text: never) => unknown);
}

/** @throws {StoreError} when the server can't be used, with the reason in one line */
export async function openPostgres(databaseUrl: string): Promise<Engine> {
  if (!URL_REGEXP.test(databaseUrl)) {
    throw new StoreError("The database URL must begin with postgres:// or postgresql://");
  }
  const sender = randomUUID();
  const dialect = createPostgresDialect(sender);
  const connection: ClientConfig = {
    connectionString: databaseUrl,
    application_name: "etiquette",
    options: "-c jit=off", // compiling the SQL of a long filter takes seconds
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  };
  let db: Db | undefined;
  try {
    const pool = new Pool(connection);
    // Without a listener the error of a dead connection would end the process. A query that uses it fails anyway.
    pool.on("error", ignore);
    pool.on("connect", (client) => client.on("error", ignore));
    db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    await assertServer(db);
    await migrate(db, dialect);
  } catch (error) {
    await db?.destroy();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`The database ${withoutPassword(databaseUrl)} can't be opened: ${messageOf(error)}`);
  }

  const open = db;
  return {
    dialect,
    reader: open,
    writer: open,
    watch: (listener) => listen(connection, sender, listener),
    close: () => open.destroy(),
  };
}

async function assertServer(db: Db): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding
  `.execute(db);
  const [server] = rows;
  if (server === undefined || server.version < MIN_SERVER_VERSION) {
    throw new StoreError("The database server is too old: PostgreSQL 15 or newer is needed");
  }
  if (server.encoding !== "UTF8") {
    throw new StoreError(`The database has the encoding ${server.encoding}: one in UTF8 is needed`);
  }
}

/** Listens on its own connection. Each new connection reports "any org", for changes made while nobody listened. */
function listen(connection: ClientConfig, sender: string, listener: ChangeListener): Watcher {
  let client: Client;
  let timer: NodeJS.Timeout | undefined;
  let delay = MIN_RECONNECT_MS;
  let closed = false;

  async function connect(): Promise<void> {
    client = new Client(connection);
    client.on("error", ignore); // "end" follows
    client.once("end", () => {
      if (closed) return;
      timer = setTimeout(() => void connect(), delay).unref();
      delay = Math.min(delay * 2, MAX_RECONNECT_MS);
    });
    client.on("notification", ({ payload = "" }) => {
      const [from, name] = payload.split(" ");
      if (from !== sender) listener(name === ANY_ORG ? undefined : name);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      delay = MIN_RECONNECT_MS;
      listener(undefined);
    } catch {
      await client.end().catch(ignore);
    }
  }

  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client.end().catch(ignore);
    },
  };
}

/** The URL without its password, for messages. */
export function withoutPassword(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return "URL";
  const { protocol, username, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

function ignore(): void {
  // reported elsewhere
}
