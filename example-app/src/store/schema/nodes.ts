import { sql } from "kysely";
import { StoreError } from "../contract/errors.js";
import type { Db } from "../contract/schema.js";
import { SCHEMA_VERSION } from "./versions.js";

/** Begins the name that PostgreSQL shows of a connection that listens. */
const PREFIX = "etiquette schema ";

/** The name that PostgreSQL shows of the connection that listens: it tells which versions serve the database now. */
export const nameNode = (version: number): string => `${PREFIX}${version}`;

/** For each version of the schema that serves the database now: how many processes. A statement for any connection. */
export const NODES_SQL = `
  select substr(application_name, ${PREFIX.length + 1})::integer as version, count(*)::integer as count from pg_stat_activity
  where datname = current_database() and application_name ~ '^${PREFIX}[0-9]{1,9}$' group by 1 order by 1`;

/** Processes that serve the database. */
export interface Nodes {
  /** The version of the schema that they are for. */
  readonly version: number;
  readonly count: number;
}

/**
 * Migrations remove what the version before no longer needs, so older nodes can't go on.
 *
 * @param version of the code
 * @throws {StoreError} when there are nodes that are two versions older
 */
export async function refuseOldNodes(db: Db, version: number): Promise<void> {
  const { rows } = await sql<Nodes>`${sql.raw(NODES_SQL)}`.execute(db);
  const refusal = judgeNodes(rows, version);
  if (refusal !== undefined) throw new StoreError(refusal);
}

/** @returns why the nodes can't go on beside this version, in one line */
export function judgeNodes(nodes: readonly Nodes[], version = SCHEMA_VERSION): string | undefined {
  const old = nodes.find((node) => node.version < version - 1);
  if (!old) return undefined;
  return `Servers of version ${old.version} of the schema use the database; this one has ${version}, and works beside ${version - 1} at least: update them to a version between, or stop them`;
}
