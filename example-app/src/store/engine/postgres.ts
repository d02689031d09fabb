import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { types, type ClientConfig } from "pg";
import type { TurnWatch } from "../../pace/turn-watch.js";
import { createPostgresDialect } from "./postgres-dialect.js";
import type { Engine } from "../contract/engine.js";
import { createErrorCounts } from "../contract/error-counts.js";
import { isDistributed } from "../schema/distribution.js";
import { messageOf, StoreError } from "../contract/errors.js";
import { shareConnections } from "./postgres-connections.js";
import { listen } from "./postgres-listener.js";
import { openPool, readCancellable, type NamedConnections, type PoolOptions } from "./postgres-pool.js";
import { openReplicaOf, type PostgresReplicaOptions } from "./postgres-replica.js";
import { updateSchema } from "./postgres-schema.js";
import { nameNode } from "../schema/nodes.js";
import { SCHEMA_VERSION } from "../schema/versions.js";
import type { Db } from "../contract/schema.js";
import { createSharedCounter } from "./shared-counter.js";
import { UNLIMITED } from "../../pace/turns.js";

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

/** The time limit of a query of the counts that processes share. */
const COUNT_MS = 5_000;

/** A database that does not even end a statement after its time-out hangs. */
const GRACE_MS = 5_000;

/** `count(*)` and `bigint` are int8, which pg returns as text. All values here are far below 2⁵³. */
function getTypeParser(...[oid, format]: Parameters<typeof types.getTypeParser>): (text: never) => unknown {
  return oid === types.builtins.INT8 ? Number : (types.getTypeParser(oid, format) as (text: never) => unknown);
}

export interface PostgresOptions extends PostgresReplicaOptions {
  /** PostgreSQL itself, for the connection that listens; `databaseUrl` may then be a pool by transaction. */
  readonly listenUrl?: string | undefined;
  /** Connections for the resources of the API. */
  readonly apiConnections: number;
  /** How long a statement of a request may run, in seconds. */
  readonly statementTimeout: number;
  readonly watch?: TurnWatch | undefined;
  /** See `StoreOptions`. */
  readonly migrate?: boolean | undefined;
  /** See `StoreOptions`. */
  readonly reportMigration?: ((line: string) => void) | undefined;
}

/** @throws {StoreError} when the server can't be used, with the reason in one line */
export async function openPostgres(databaseUrl: string, options: Readonly<PostgresOptions>): Promise<Engine> {
  const { listenUrl, readUrl, apiConnections, statementTimeout, watch, migrate, reportMigration: report } = options;
  if (![databaseUrl, listenUrl ?? databaseUrl, readUrl ?? databaseUrl].every((url) => URL_REGEXP.test(url))) {
    throw new StoreError("The database URL must begin with postgres:// or postgresql://");
  }
  const sender = randomUUID();
  const dialect = createPostgresDialect(sender);
  const connection = describeConnection(databaseUrl);
  const direct = { ...connection, connectionString: listenUrl ?? databaseUrl };
  const { counts: errors, note: onError } = createErrorCounts();
  const common = { onError, isPooled: listenUrl !== undefined, watch };
  const { own, newer } = await openOwn(connection, common, {
    hasReplica: readUrl !== undefined,
    update: (own) => updateSchema(direct, own, { dialect, migrate, report, onError }),
  });
  const timeout = statementTimeout * 1_000;
  const limited = { ...connection, query_timeout: timeout + GRACE_MS };
  const discovery = openPool(limited, { name: "discovery", size: DISCOVERY_CONNECTIONS, timeout, ...common });
  const tokens = openPool(limited, { name: "tokens", size: TOKEN_CONNECTIONS, timeout, ...common });
  const api = openPool(limited, { name: "api", size: apiConnections, timeout, ...common });
  const counts = shareConnections({ ...connection, max: 1, query_timeout: COUNT_MS });
  const sharedCounter = createSharedCounter(counts);
  const sizes = { discovery: DISCOVERY_CONNECTIONS, api: apiConnections };
  const replica = openReplicaOf({ connection: limited, isPooled: common.isPooled, timeout, sizes }, options);
  const pools = [own, discovery, tokens, api, ...(replica?.pools ?? [])];
  const queued = pools.filter((pool) => pool !== own);
  const suspects = listenUrl === undefined ? [own, discovery, tokens, api, counts] : [];
  return {
    dialect,
    newer,
    sharedCounter,
    own: { ...own, turns: UNLIMITED },
    discovery,
    tokens,
    api,
    replica,
    sliceMs: SLICE_MS,
    slice(orgId, work, signal) {
      const onPrimary = () => api.turns.run(orgId, () => readCancellable(api.reader, work, { own, signal }), signal);
      return replica ? replica.api.run({ owner: orgId, onReplica: work, onPrimary, signal }) : onPrimary();
    },
    waiting: () => sum(queued, ({ turns }) => turns.waiting()),
    stats: () => ({
      pools: pools.map(({ usage }) => usage()),
      refused: sum(queued, ({ turns }) => turns.refused()),
      errors,
      replica: replica?.stats(),
    }),
    watch: (listener) =>
      listen(
        { ...direct, application_name: nameNode(SCHEMA_VERSION) },
        { sender, listener, suspect: () => suspects.map((connections) => connections.suspect()) },
      ),
    async close() {
      await replica?.close();
      await Promise.all([own, discovery, tokens, api].map(({ reader }) => reader.destroy()));
      await sharedCounter.close();
    },
  };
}

function describeConnection(databaseUrl: string): ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: "etiquette",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  };
}

/** Opens the connections for the server's own work, and brings the schema up to date. */
async function openOwn(
  connection: ClientConfig,
  common: Pick<PoolOptions, "onError" | "isPooled" | "watch">,
  { hasReplica, update }: Readonly<{ hasReplica: boolean; update: (db: Db) => Promise<readonly string[]> }>,
): Promise<{ own: NamedConnections; newer: readonly string[] }> {
  const own = openPool(connection, { name: "own", size: OWN_CONNECTIONS, timeout: 0, ...common });
  try {
    await assertServer(own.reader);
    const newer = await update(own.reader);
    if (hasReplica) await refuseDistributed(own.reader);
    return { own, newer };
  } catch (error) {
    await own.reader.destroy();
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      `The database ${withoutPassword(String(connection.connectionString))} can't be opened: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** A replica of the coordinator has no rows of its own: it would read them from the same workers. */
async function refuseDistributed(db: Db): Promise<void> {
  if (!(await isDistributed(db))) return;
  throw new StoreError("A distributed database (Citus) can't be read from a replica: its rows are on the workers");
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

/** The URL without its password, for messages. */
export function withoutPassword(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return "URL";
  const { protocol, username, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

function sum(pools: readonly NamedConnections[], count: (pool: NamedConnections) => number): number {
  return pools.reduce((total, pool) => total + count(pool), 0);
}
