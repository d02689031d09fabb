import { messageOf, StoreError } from "../contract/errors.js";
import { withoutPassword } from "../engine/postgres.js";
import { MIGRATIONS } from "../schema/migrations/index.js";
import type { Migration } from "../schema/migrations/common.js";
import { listStatements, tablesOf } from "../schema/statements.js";
import { versionOf } from "../schema/versions.js";
import { createInspectingClient } from "./client.js";

/** A migration that has not run yet. */
export interface PlannedStep {
  readonly name: string;
  /** What it does, and whom it makes wait. */
  readonly effect: string;
  readonly statements: readonly string[];
  /** The tables that it changes or reads, as far as they are there, and their bytes with all indexes; none of SQLite. */
  readonly tables: readonly TableSize[];
}

interface TableSize {
  readonly name: string;
  readonly bytes: number;
}

/** With the shards of Citus, if there are any. */
const SIZES_SQL = `
  select name, sum(pg_total_relation_size(relid))::float8 as bytes
  from unnest($1::text[]) as name cross join lateral (
    select to_regclass(name) as relid union select relid from pg_partition_tree(to_regclass(name))
  ) as parts where relid is not null group by name`;

const CITUS_SIZES_SQL = SIZES_SQL.replace(
  "pg_total_relation_size(relid)",
  `case when exists (select from pg_dist_partition where logicalrelid = relid)
    then citus_total_relation_size(relid, false) else pg_total_relation_size(relid) end`,
);

/**
 * What the migrations with these names would do. Changes nothing.
 *
 * @throws {StoreError} when the database can't be read
 */
export async function planMigrations(
  names: readonly string[],
  databaseUrl: string | undefined,
): Promise<readonly PlannedStep[]> {
  const database = databaseUrl === undefined ? "sqlite" : "postgresql";
  const steps = [];
  for (const name of names) {
    const migration = MIGRATIONS[name];
    if (migration === undefined) continue;
    const statements = await listStatements(migration, database);
    steps.push({ name, effect: effectOf(name, migration, database), statements });
  }
  const wanted = [...new Set(steps.flatMap(({ statements }) => statements.flatMap(tablesOf)))];
  const sizes = databaseUrl === undefined || wanted.length === 0 ? [] : await readSizes(databaseUrl, wanted);
  return steps.map((step) => {
    const named = new Set(step.statements.flatMap(tablesOf));
    return { ...step, tables: sizes.filter(({ name }) => named.has(name)) };
  });
}

function effectOf(name: string, migration: Migration, database: "sqlite" | "postgresql"): string {
  const isOnline = database === "postgresql" && versionOf(name) !== 1;
  if ("index" in migration) return isOnline ? "reads a table for an index; nobody waits" : "reads a table for an index";
  if ("batch" in migration) return "changes rows, some at a time";
  const verb = "contract" in migration ? "removes what is no longer needed" : "adds";
  return isOnline ? `${verb}; others wait for a fraction of a second` : verb;
}

async function readSizes(databaseUrl: string, names: readonly string[]): Promise<TableSize[]> {
  const client = createInspectingClient(databaseUrl);
  try {
    await client.connect();
    const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
    return (await client.query<TableSize>(rowCount === 0 ? SIZES_SQL : CITUS_SIZES_SQL, [names])).rows;
  } catch (error) {
    throw new StoreError(`The database ${withoutPassword(databaseUrl)} can't be read: ${messageOf(error)}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
