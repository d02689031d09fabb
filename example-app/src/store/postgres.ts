import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Client, types, type ClientConfig } from "pg";
import {
  ANY_ORG,
  CHANNEL,
  createPostgresDialect,
  type ChangeListener,
  type Dialect,
  type Engine,
  type Watcher,
} from "./dialects.js";
import { createErrorCounts } from "./error-counts.js";
import { messageOf, StoreError } from "./errors.js";
import { migrate } from "./migrations.js";
import { endConnection } from "./postgres-connections.js";
import { openPool, readCancellable, type NamedConnections } from "./postgres-pool.js";
import type { Db } from "./schema.js";
import { createSharedCounter } from "./shared-counter.js";
import { UNLIMITED } from "./turns.js";

const URL_REGEXP = /^postgres(?:ql)?:\/\//;

/** `server_version_num` of PostgreSQL 15. */
const MIN_SERVER_VERSION = 150_000;

/** Connections of a process. Those for the resources of the API are a setting. */
const OWN_CONNECTIONS = 2;
const DISCOVERY_CONNECTIONS = 3;
const TOKEN_CONNECTIONS = 2;

/** While a slice runs, the other searches of the org wait for its share of the connections. */
const SLICE_MS = 50;

/** For a connection: the look-up of the host, the connection itself, and the wait for one that is free. In milliseconds. */
const CONNECT_MS = 5_000;

/** For a statement of the server's own work, with its wait for locks. A writer on SQLite waits as long. */
const QUERY_MS = 30_000;

/** A database that does not even end a statement after its time-out hangs. */
const GRACE_MS = 5_000;

/** For one statement of a migration, which may have to read a large table. */
const MIGRATION_MS = 600_000;

const MIN_RECONNECT_MS = 100;
const MAX_RECONNECT_MS = 5_000;

/** `count(*)` and `bigint` are int8, which pg returns as text. All values here are far below 2⁵³. */
function getTypeParser(...[oid, format]: Parameters<typeof types.getTypeParser>): (text: never) => unknown {
  return oid === types.builtins.INT8 ? Number : (types.getTypeParser(oid, format) as (text: never) => unknown);
}

export interface PostgresOptions {
  /** Connections for the resources of the API. */
  readonly apiConnections: number;
  /** How long a statement of a request may run, in seconds. */
  readonly statementTimeout: number;
}

/** @throws {StoreError} when the server can't be used, with the reason in one line */
export async function openPostgres(
  databaseUrl: string,
  { apiConnections, statementTimeout }: PostgresOptions,
): Promise<Engine> {
  if (!URL_REGEXP.test(databaseUrl)) {
    throw new StoreError("The database URL must begin with postgres:// or postgresql://");
  }
  const sender = randomUUID();
  const dialect = createPostgresDialect(sender);
  const connection: ClientConfig = {
    connectionString: databaseUrl,
    application_name: "etiquette",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  };
  const { counts: errors, note: onError } = createErrorCounts();
  const own = openPool(connection, { name: "own", size: OWN_CONNECTIONS, timeout: 0, onError });
  try {
    await assertServer(own.reader);
    const migrating = { ...connection, query_timeout: MIGRATION_MS };
    await migrateOn(openPool(migrating, { name: "migration", size: 1, timeout: 0, onError }).reader, dialect);
  } catch (error) {
    await own.reader.destroy();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`The database ${withoutPassword(databaseUrl)} can't be opened: ${messageOf(error)}`);
  }

  const timeout = statementTimeout * 1_000;
  const limited = { ...connection, query_timeout: timeout + GRACE_MS };
  const discovery = openPool(limited, { name: "discovery", size: DISCOVERY_CONNECTIONS, timeout, onError });
  const tokens = openPool(limited, { name: "tokens", size: TOKEN_CONNECTIONS, timeout, onError });
  const api = openPool(limited, { name: "api", size: apiConnections, timeout, onError });
  const sharedCounter = createSharedCounter(connection);
  return {
    dialect,
    sharedCounter,
    own: { ...own, turns: UNLIMITED },
    discovery,
    tokens,
    api,
    sliceMs: SLICE_MS,
    slice: (orgId, work, signal) =>
      api.turns.run(orgId, () => readCancellable(api.reader, work, { own, signal }), signal),
    waiting: () => sum([discovery, tokens, api], ({ turns }) => turns.waiting()),
    stats: () => ({
      pools: [own, discovery, tokens, api].map(({ usage }) => usage()),
      refused: sum([discovery, tokens, api], ({ turns }) => turns.refused()),
      errors,
    }),
    watch: (listener) => listen(connection, sender, listener),
    async close() {
      await Promise.all([own, discovery, tokens, api].map(({ reader }) => reader.destroy()));
      await sharedCounter.close();
    },
  };
}

async function migrateOn(db: Db, dialect: Dialect): Promise<void> {
  try {
    await migrate(db, dialect);
  } finally {
    await db.destroy();
  }
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
      await endConnection(client);
    }
  }

  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await endConnection(client);
    },
  };
}

/** The URL without its password, for messages. */
export function withoutPassword(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return "URL";
  const { protocol, username, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

function sum(pools: readonly NamedConnections[], count: (pool: NamedConnections) => number): number {
  return pools.reduce((total, pool) => total + count(pool), 0);
}

function ignore(): void {
  // reported elsewhere
}
