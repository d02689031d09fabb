import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { messageOf, StoreError } from "../contract/errors.js";
import { createInspectingClient, PATIENCE_MS } from "./client.js";
import { MIGRATIONS } from "../schema/migrations/index.js";
import { NODES_SQL, type Nodes } from "../schema/nodes.js";
import { judgeUnknown, newestOf } from "../schema/versions.js";
import { withoutPassword } from "../engine/postgres.js";
import { DATABASE_FILE } from "../engine/sqlite.js";

/** What a database is, as far as that can be seen without changing it. */
export interface Inspection {
  /** Such as `PostgreSQL 15.6`. */
  readonly version: string;
  /** Whether it takes no changes now, such as a standby. */
  readonly isReadOnly: boolean;
  /** The version of its schema; `undefined` of an empty database. */
  readonly schema: number | undefined;
  /** Processes that serve it now, by the version of the schema that they are for; unknown of SQLite. */
  readonly nodes: readonly Nodes[];
  /** Migrations that the next start would run. All of them in an empty database. */
  readonly missing: readonly string[];
  /** Those of them that remove what the version before no longer needs. */
  readonly removing: readonly string[];
  /** Migrations of the next version of the server. */
  readonly newer: readonly string[];
  /** Why this version of the server can't work with it, after its name. */
  readonly refusal: string | undefined;
  /** How far its clock is ahead of this machine's, in milliseconds; `undefined` when it has no clock of its own. */
  readonly clockLead: number | undefined;
}

/**
 * Look at the database without changing it.
 *
 * @returns `undefined` when there is none yet, and the first start would make it
 * @throws {StoreError} when it can't be read, with the reason in one line
 */
export async function inspectDatabase(
  databaseUrl: string | undefined,
  dataFolder: string,
): Promise<Inspection | undefined> {
  return databaseUrl === undefined ? inspectSqlite(join(dataFolder, DATABASE_FILE)) : inspectPostgres(databaseUrl);
}

function inspectSqlite(path: string): Inspection | undefined {
  if (!existsSync(path)) return undefined;
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: PATIENCE_MS });
    database.exec("pragma query_only = on");
    const read = (sql: string) => database?.prepare(sql).all([]) as Record<string, string>[];
    const [version] = read("select sqlite_version() as version");
    const tables = read("select name from sqlite_schema where name = 'kysely_migration'");
    const applied = tables.length === 0 ? [] : read("select name from kysely_migration");
    return {
      version: `SQLite ${version?.["version"] ?? ""}`,
      isReadOnly: false,
      clockLead: undefined,
      nodes: [],
      ...compare(applied),
    };
  } catch (error) {
    throw new StoreError(`The database ${path} can't be read: ${messageOf(error)}`);
  } finally {
    database?.close();
  }
}

async function inspectPostgres(databaseUrl: string): Promise<Inspection> {
  const client = createInspectingClient(databaseUrl);
  try {
    await client.connect();
    const read = async <T extends object>(sql: string): Promise<T[]> => (await client.query<T>(sql)).rows;
    const begin = Date.now();
    const [facts] = await read<{ version: string; standby: boolean; time: number; migrated: boolean }>(`
      select current_setting('server_version') as version, pg_is_in_recovery() as standby,
        extract(epoch from clock_timestamp())::float8 * 1000 as time, to_regclass('kysely_migration') is not null as migrated
    `);
    const middle = (begin + Date.now()) / 2;
    const applied = facts?.migrated ? await read<{ name: string }>("select name from kysely_migration") : [];
    return {
      version: `PostgreSQL ${facts?.version ?? ""}`,
      isReadOnly: facts?.standby ?? false,
      clockLead: (facts?.time ?? middle) - middle,
      nodes: await read<Nodes>(NODES_SQL),
      ...compare(applied),
    };
  } catch (error) {
    throw new StoreError(`The database ${withoutPassword(databaseUrl)} can't be read: ${messageOf(error)}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function compare(
  rows: readonly { readonly name?: string }[],
): Pick<Inspection, "schema" | "missing" | "removing" | "newer" | "refusal"> {
  const applied = rows.map(({ name = "" }) => name);
  const known = Object.keys(MIGRATIONS);
  const missing = known.filter((name) => !applied.includes(name));
  return {
    schema: applied.length === 0 ? undefined : newestOf(applied),
    missing,
    removing: missing.filter((name) => "contract" in (MIGRATIONS[name] ?? {})),
    ...judgeUnknown(applied.filter((name) => !known.includes(name))),
  };
}
