import type { ClientConfig } from "pg";
import type { Dialect } from "../contract/dialect.js";
import { distributeNewTables, distributeTables, type Report } from "../schema/distribution.js";
import { readProgress, refusePending } from "../schema/migrate.js";
import { migrateOnline, type OnlineOptions } from "../schema/online.js";
import { openPool, type PoolOptions } from "./postgres-pool.js";
import type { Db } from "../contract/schema.js";

/** For one statement of a migration, which may have to make the index of a very large table. In milliseconds. */
const MIGRATION_MS = 86_400_000;

/** Two locks are held in transactions, beside the one that works. */
const CONNECTIONS = 3;

type Common = Pick<PoolOptions, "onError" | "isPooled">;

export interface SchemaOptions extends OnlineOptions, Pick<Common, "onError"> {
  readonly dialect: Dialect;
  /**
   * Whether missing migrations are run.
   *
   * @default true
   */
  readonly migrate?: boolean | undefined;
}

/**
 * Run the migrations that are missing. On Citus new tables are distributed.
 *
 * @param connection to PostgreSQL itself
 * @param db any connection to the database
 * @returns the migrations of a newer version that have run
 * @throws {StoreError} also when some are missing and are not to be run
 */
export async function updateSchema(
  connection: ClientConfig,
  db: Db,
  { dialect, migrate = true, onError, ...options }: SchemaOptions,
): Promise<readonly string[]> {
  const { pending, newer } = await readProgress(db, dialect, options.migrations);
  if (!migrate) refusePending(pending);
  const common = { onError, isPooled: false };
  await withPool({ ...connection, query_timeout: MIGRATION_MS }, common, async (own) => {
    if (pending.length === 0) await distributeNewTables(own);
    else await migrateOnline(own, dialect, options, () => distributeNewTables(own));
  });
  return newer;
}

/**
 * Distribute the tables of a database that is in use, see {@link distributeTables}.
 *
 * @param databaseUrl of PostgreSQL itself
 * @param report called with a line for each step
 * @throws {StoreError} when it isn't possible, with the reason in one line
 */
export function distributePostgres(databaseUrl: string, report: Report): Promise<void> {
  const connection = { connectionString: databaseUrl, application_name: "etiquette" };
  return withPool(connection, { onError: () => undefined, isPooled: false }, (db) => distributeTables(db, report));
}

async function withPool(connection: ClientConfig, common: Common, work: (db: Db) => Promise<void>): Promise<void> {
  // without Citus this setting means nothing; with it, foreign keys to copied tables need it
  const settings = { "citus.multi_shard_modify_mode": "sequential" };
  const { reader } = openPool(connection, { name: "schema", size: CONNECTIONS, timeout: 0, settings, ...common });
  try {
    await work(reader);
  } finally {
    await reader.destroy();
  }
}
