import { sql } from "kysely";
import type { ClientConfig } from "pg";
import type { Dialect } from "../contract/dialect.js";
import { distributeNewTables, distributeTables, type Report } from "../schema/distribution.js";
import { migrate } from "../schema/migrate.js";
import { openPool, type PoolOptions } from "./postgres-pool.js";
import type { Up } from "../schema/migrations/common.js";
import type { Db } from "../contract/schema.js";

/** For one statement of a migration, which may have to read a large table. In milliseconds. */
const MIGRATION_MS = 600_000;

/** The number that Kysely locks, as earlier versions of the server did. */
const MIGRATION_LOCK = 3_853_314_791_062_309_107n;

/** Two locks are held in transactions, beside the one that works. */
const CONNECTIONS = 3;

type Common = Pick<PoolOptions, "onError" | "isPooled">;

export interface SchemaOptions extends Common {
  readonly dialect: Dialect;
  /**
   * In the order of their names.
   *
   * @default those of the server
   */
  readonly migrations?: Readonly<Record<string, Up>>;
}

/**
 * Run the migrations that are missing, while another connection holds a lock. On Citus the new tables are distributed.
 *
 * @returns the migrations of a newer version that have run
 */
export function updateSchema(
  connection: ClientConfig,
  { dialect, migrations, ...common }: SchemaOptions,
): Promise<readonly string[]> {
  return withPool({ ...connection, query_timeout: MIGRATION_MS }, common, (db) =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction);
      const newer = await migrate(db, dialect, migrations);
      await distributeNewTables(db);
      return newer;
    }),
  );
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

async function withPool<T>(connection: ClientConfig, common: Common, work: (db: Db) => Promise<T>): Promise<T> {
  // without Citus this setting means nothing; with it, foreign keys to copied tables need it
  const settings = { "citus.multi_shard_modify_mode": "sequential" };
  const { reader } = openPool(connection, { name: "schema", size: CONNECTIONS, timeout: 0, settings, ...common });
  try {
    return await work(reader);
  } finally {
    await reader.destroy();
  }
}
