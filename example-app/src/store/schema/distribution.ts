import { sql, type RawBuilder } from "kysely";
import { messageOf, StoreError } from "../contract/errors.js";
import type { Db } from "../contract/schema.js";
import { withShortLocks, type Patience } from "./short-locks.js";

/*
 * PostgreSQL with the extension Citus keeps tables on several nodes. What maps a host name to an org is copied to every
 * node. The other tables are distributed by `org_id` in the same way, so all rows of an org are on one node. Migrations
 * create ordinary tables; those that are not distributed yet are distributed after them.
 */

/** Copied to every node. */
const COPIED: readonly string[] = ["orgs", "org_domains"];

/** The columns by which tables are distributed. */
const KEYS: Readonly<Record<string, string>> = {
  org_revisions: "org_id",
  revisions: "org_id",
  revision_changes: "org_id",
  log_heads: "org_id",
  org_usage: "org_id",
  idps: "org_id",
  zones: "org_id",
  rules: "org_id",
  routing_tests: "org_id",
  users: "org_id",
  user_words: "org_id",
  trusted_origins: "org_id",
  issuers: "org_id",
  api_tokens: "org_id",
  console_links: "org_id",
  console_sessions: "org_id",
  idempotency_keys: "org_id",
  log_events: "org_id",
  routing_decisions: "org_id",
  decision_counts: "org_id",
  rate_counts: "key",
  leases: "name",
};

/** All tables of the server, in the order in which they are distributed. */
export const DISTRIBUTED_TABLES: readonly string[] = [...COPIED, ...Object.keys(KEYS)];

/** A foreign key between distributed tables, which Citus accepts only while both are distributed. */
const SESSION_KEY = { table: "console_sessions", target: "api_tokens", name: "console_sessions_token" };

/** An arbitrary number, the same in all processes. */
const DISTRIBUTION_LOCK = 6_573_104;

/** How long a process waits for another one that distributes. */
const START_PATIENCE = "60s";

/**
 * How long a step tries to get the tables from transactions that use them. It needs several tables and takes them in another
 * order than requests do, so both may wait for each other.
 */
const PATIENCE: Patience = { tryMs: 300, totalMs: 30_000 };

/** SQLSTATE of a lock that is not available in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Called with a line for each step. */
export type Report = (line: string) => void;

/**
 * After the migrations: distribute the tables of an empty database, and those that a migration added to a distributed
 * one. Does nothing without Citus and workers, and nothing to an ordinary database that holds orgs.
 *
 * @param db with three connections
 */
export async function distributeNewTables(db: Db): Promise<void> {
  if (!(await hasExtension(db)) || !(await hasWorkers(db))) return;
  const { present, left } = await readTables(db);
  if (left.length === 0 || (!present.has("orgs") && (await hasRows(db, "orgs")))) return;
  await distribute(db, { report: ignore, isOnline: false });
}

/**
 * Distribute the tables that are not distributed yet, while servers use them. Can be repeated after a failure.
 *
 * @param db with three connections, without a time limit
 * @param report called with a line for each table
 * @throws {StoreError} when it isn't possible, with the reason in one line
 */
export async function distributeTables(db: Db, report: Report): Promise<void> {
  if (!(await hasExtension(db))) {
    throw new StoreError(
      "The database has no extension citus: install it on all nodes, then run `create extension citus`",
    );
  }
  if (!(await hasWorkers(db))) {
    throw new StoreError("The cluster has no workers: add them with `select citus_add_node('HOST', PORT)`");
  }
  await refuseForeignKeys(db);
  await refuseUnlogged(db);
  try {
    await distribute(db, { report, isOnline: true });
  } catch (error) {
    const { hint } = error as { hint?: string };
    throw new StoreError(`The database can't be distributed: ${[messageOf(error), hint].filter(Boolean).join(" ")}`);
  }
}

interface Mode {
  readonly report: Report;
  /** Whether others may write to a table while its rows are copied. That takes longer and can't be done in a transaction. */
  readonly isOnline: boolean;
}

async function distribute(db: Db, { report, isOnline }: Mode): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await lock(transaction))) {
      report("Another process distributes the tables");
      return;
    }
    const { present, left } = await readTables(db);
    if ([SESSION_KEY.table, SESSION_KEY.target].some((table) => left.includes(table))) await dropSessionKey(db);
    for (const table of left) {
      const start = performance.now();
      await distributeTable(db, table, { present, isOnline });
      present.add(table);
      report(`${table}: ${describe(table)} in ${Math.round(performance.now() - start)} ms`);
    }
    await addSessionKey(db);
    report(left.length === 0 ? "All tables were distributed before" : "All tables are distributed");
  });
}

/** Until the end of the transaction. The work needs other transactions: the kind that lets others write allows none. */
async function lock(transaction: Db): Promise<boolean> {
  try {
    await sql`set local lock_timeout = ${sql.lit(START_PATIENCE)}`.execute(transaction);
    await sql`select pg_advisory_xact_lock(${DISTRIBUTION_LOCK})`.execute(transaction);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

async function distributeTable(
  db: Db,
  table: string,
  { present, isOnline }: Readonly<{ present: ReadonlySet<string>; isOnline: boolean }>,
): Promise<void> {
  const key = KEYS[table];
  if (key === undefined) {
    await change(db, [sql`select create_reference_table(${table})`]);
    return;
  }
  if (table === "rate_counts") await change(db, [sql`alter table rate_counts set logged`]); // or its shards can't move
  const neighbor = Object.keys(KEYS).find((name) => KEYS[name] === key && present.has(name)) ?? "none";
  const place = sql`(${table}, ${key}, colocate_with => ${neighbor})`;
  if (isOnline && (await hasRows(db, table))) {
    await sql`select create_distributed_table_concurrently${place}`.execute(db);
  } else {
    await change(db, [sql`select create_distributed_table${place}`]);
  }
}

/** Run statements that others wait for. They don't wait long when it has to wait itself. */
async function change(db: Db, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  await withShortLocks(db, PATIENCE, async (transaction) => {
    for (const statement of statements) await statement.execute(transaction);
  });
}

function describe(table: string): string {
  const key = KEYS[table];
  return key === undefined ? "copied to every node" : `distributed by ${key}`;
}

async function dropSessionKey(db: Db): Promise<void> {
  await change(db, [sql`alter table console_sessions drop constraint if exists ${sql.ref(SESSION_KEY.name)}`]);
}

/** Also removes sessions whose token was removed while there was no key. */
async function addSessionKey(db: Db): Promise<void> {
  const { rows } = await sql`select from pg_constraint where conname = ${SESSION_KEY.name}`.execute(db);
  if (rows.length > 0) return;
  await change(db, [
    sql`
      delete from console_sessions as session where not exists (
        select from api_tokens as token where token.org_id = session.org_id and token.id = session.token_id
      )
    `,
    sql`
      alter table console_sessions add constraint console_sessions_token foreign key (org_id, token_id)
      references api_tokens (org_id, id) on delete cascade
    `,
  ]);
}

/** Whether rows of the database are on several nodes. */
export async function isDistributed(db: Db): Promise<boolean> {
  return (await hasExtension(db)) && (await readTables(db)).present.size > 0;
}

async function hasExtension(db: Db): Promise<boolean> {
  return (await sql`select from pg_extension where extname = 'citus'`.execute(db)).rows.length > 0;
}

async function hasWorkers(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_dist_node where isactive and shouldhaveshards limit 1`.execute(db);
  return rows.length > 0;
}

interface TableState {
  /** On the nodes already. */
  readonly present: Set<string>;
  /** Only here, in the order in which they are to be distributed. */
  readonly left: readonly string[];
}

async function readTables(db: Db): Promise<TableState> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where partmethod = 'h' or repmodel = 't'
  `.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  return { present, left: DISTRIBUTED_TABLES.filter((table) => !present.has(table)) };
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  return (await sql`select from ${sql.table(table)} limit 1`.execute(db)).rows.length > 0;
}

/** Other tables can't refer to distributed ones. */
async function refuseForeignKeys(db: Db): Promise<void> {
  const tables = DISTRIBUTED_TABLES.map((table) => sql.lit(table));
  const { rows } = await sql<{ name: string; child: string }>`
    select conname as name, child.relname as child from pg_constraint
    join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
    where contype = 'f' and parent.relname in (${sql.join(tables)}) and child.relname not in (${sql.join(tables)})
  `.execute(db);
  const [key] = rows;
  if (key) {
    throw new StoreError(
      `The foreign key ${key.name} of ${key.child}, which is no table of the server, stands in the way`,
    );
  }
}

/** Citus can't move shards of a table that is not logged. */
async function refuseUnlogged(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relpersistence = 'u' and partmethod = 'h'
  `.execute(db);
  const [table] = rows;
  if (table) {
    throw new StoreError(
      `The table ${table.name} was distributed unlogged: run \`select undistribute_table('${table.name}')\` before`,
    );
  }
}

function ignore(): void {
  // nobody watches a start
}
