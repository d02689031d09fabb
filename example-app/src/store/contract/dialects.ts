import type { FilterDialect } from "etiquette/filter";
import { sql, type Kysely, type RawBuilder, type SqlBool } from "kysely";
import { insertOnPostgres, insertOnSqlite, type LogColumns, type LogStart } from "../log/inserts.js";
import { addLogPartitions, createDefaultPartition, expireLogEvents } from "../log/partitions.js";
import type { DatabaseErrorKind } from "./error-counts.js";
import type { Db, DbTransaction } from "./schema.js";
import { createCountsTable, type SharedCounter } from "../records/shared-counter.js";
import type { Turns } from "../../pace/turns.js";

/** The differences between SQLite and PostgreSQL. All other queries and the migrations are the same on both. */
export interface Dialect {
  /** Type of a text column that compares and sorts by bytes. */
  readonly text: RawBuilder<unknown>;
  /** The table with this name, if there is one. */
  readonly findTable: (name: string) => RawBuilder<unknown>;
  /** Ends a select in a writing transaction: no other transaction changes the rows until it ends. */
  readonly lockRows: RawBuilder<unknown>;
  /** Wait for a running import to end, then block other imports until `transaction` ends. */
  readonly lockImports: (transaction: DbTransaction) => Promise<void>;
  /** Notify the other processes that these orgs changed, when `transaction` commits. */
  readonly publish: (transaction: DbTransaction, orgIds: readonly string[]) => Promise<void>;
  /** The name of the dialect for the suite's filters. */
  readonly filter: FilterDialect;
  /** The text of a member of the JSON document in a column. */
  readonly memberOf: (column: string, member: string) => RawBuilder<string | null>;
  /** A table of the members of the JSON document in a column, and the JSON text of a member's value in it. */
  readonly membersOf: (column: string) => { readonly members: RawBuilder<unknown>; readonly value: RawBuilder<string> };
  /** Whether a text contains another. */
  readonly contains: (text: RawBuilder<string>, part: string) => RawBuilder<SqlBool>;
  /** Add rows to the log. */
  readonly insertLogEvents: (transaction: DbTransaction, start: LogStart, rows: readonly LogColumns[]) => Promise<void>;
  /** Ends the definition of a table that is partitioned by week, so that old rows can be dropped. */
  readonly partitionByPublished: RawBuilder<unknown>;
  readonly createPartitions: (db: Kysely<unknown>) => Promise<void>;
  /** Create the missing log partitions of the current and the following weeks. */
  readonly addLogPartitions: (transaction: DbTransaction, now: string) => Promise<void>;
  /** Create the table of the counts that {@link SharedCounter} adds up. */
  readonly createRateCounts: (db: Kysely<unknown>) => Promise<void>;
  /** Delete some of the events that were published before this time. Returns whether more are left. */
  readonly expireLogEvents: (transaction: DbTransaction, before: string) => Promise<boolean>;
}

/** Called with the org whose routing may have changed, or with `undefined` when any may have. Must not throw. */
export type ChangeListener = (orgId: string | undefined) => void;

export interface Watcher {
  close(): Promise<void>;
}

/** Connections for one purpose. */
export interface Connections {
  /** For single reading statements. */
  readonly reader: Db;
  /** For reading transactions. On SQLite the reader does not wait for them. */
  readonly snapshots: Db;
  /** For writing transactions. On SQLite readers never wait for them. */
  readonly writer: Db;
  /** Whoever uses the connections waits for a turn first. */
  readonly turns: Turns;
}

/** A read that a replica may serve. It may run twice, on the replica and on the primary. */
export interface Read<T> {
  /** Whose turn it takes. */
  readonly owner: string;
  /** Gets one connection, for single statements or a transaction. */
  readonly onReplica: (db: Db) => Promise<T>;
  /** Waits for a turn itself. */
  readonly onPrimary: () => Promise<T>;
  readonly signal: AbortSignal | undefined;
}

/** Runs reads on a replica, if it has all that was written before, or else on the primary. */
export interface ReadPlace {
  run<T>(read: Read<T>): Promise<T>;
}

/** The same, by purpose. */
export interface ReplicaReads {
  /** For WebFinger and sign-on. */
  readonly discovery: ReadPlace;
  /** For the resources of the API. */
  readonly api: ReadPlace;
}

/** Whether a replica gets reads. */
export interface ReplicaState {
  readonly isUsed: boolean;
  /** Why it gets none. */
  readonly reason: string | undefined;
}

export interface ReplicaStats {
  readonly isUsed: boolean;
  /** How far it is behind the primary, in seconds. */
  readonly lag: number;
  /** How many reads each has served, of those that the replica may serve. */
  readonly reads: Readonly<Record<"replica" | "primary", number>>;
}

/** How the connections for one purpose are used now. */
export interface PoolUsage {
  readonly pool: string;
  /** Connections that somebody uses. */
  readonly used: number;
  /** Open connections that nobody uses. */
  readonly idle: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

/** How the database is used, and what failed since the start. */
export interface StoreStats {
  readonly pools: readonly PoolUsage[];
  /** Work that was refused because too much work of its org waited. */
  readonly refused: number;
  readonly errors: Readonly<Record<DatabaseErrorKind, number>>;
  /** If there is one. */
  readonly replica?: ReplicaStats | undefined;
}

/** An open database with a current schema. */
export interface Engine {
  readonly dialect: Dialect;
  /** For the server's own work: events of requests, retention, imports. */
  readonly own: Connections;
  /** For WebFinger and sign-on. */
  readonly discovery: Connections;
  /** For API tokens. */
  readonly tokens: Connections;
  /** For the resources of the API. */
  readonly api: Connections;
  /** If there is a replica. */
  readonly replica?: ReplicaReads | undefined;
  /** How long a slice of a search takes, in milliseconds, so that others need not wait long. */
  readonly sliceMs: number;
  /** Run a slice of a search of this org. When `signal` is aborted, the slice ends. */
  slice<T>(orgId: string, work: (db: Db) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Adds up the rate limits of several processes; `undefined` for SQLite, which is for one. */
  readonly sharedCounter?: SharedCounter;
  /** How many callers wait for a connection. */
  waiting(): number;
  stats(): StoreStats;
  /** Get notified of changes by other processes. */
  watch(listener: ChangeListener): Watcher;
  close(): Promise<void>;
}

/** Work of one owner that may wait for connections, or for a slice. */
export const MAX_WAITING = 100;

/** Events deleted per transaction; libsql blocks the thread for a few milliseconds. */
const EXPIRE_COUNT = 500;

/** A writing transaction locks the whole file, and other processes detect changes by polling. */
export const SQLITE: Dialect = {
  text: sql`text`,
  findTable: (name) => sql`select name from sqlite_schema where name = ${name}`,
  lockRows: sql``,
  lockImports: () => Promise.resolve(),
  publish: () => Promise.resolve(),
  filter: "sqlite",
  memberOf: (column, member) => sql`${sql.ref(column)} ->> ${sql.lit(member)}`,
  membersOf: (column) => ({
    members: sql`json_each(${sql.ref(column)})`,
    value: sql`${sql.ref(column)} -> fullkey`,
  }),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  insertLogEvents: insertOnSqlite,
  partitionByPublished: sql``,
  createPartitions: () => Promise.resolve(),
  createRateCounts: () => Promise.resolve(),
  addLogPartitions: () => Promise.resolve(),
  async expireLogEvents(transaction, before) {
    // by org, because the index begins with it
    const { numAffectedRows = 0n } = await sql`
      delete from log_events where rowid in (
        select log_events.rowid from log_heads cross join log_events on log_events.org_id = log_heads.org_id
        where log_events.published < ${before} limit ${EXPIRE_COUNT}
      )
    `.execute(transaction);
    return numAffectedRows === BigInt(EXPIRE_COUNT);
  },
};

/** An arbitrary number, the same in all processes. */
const IMPORT_LOCK = 6_573_102;

/** The channel of change notifications: `<sender> <org id>` or `<sender> *`. */
export const CHANNEL = "etiquette_changes";

export const ANY_ORG = "*";

/** A transaction that changes more orgs than this publishes {@link ANY_ORG}. */
const MAX_PUBLISHED = 100;

/** @param sender distinguishes the store's own messages from those of others */
export function createPostgresDialect(sender: string): Dialect {
  return {
    text: sql`text collate "C"`,
    findTable: (name) => sql`select relname from pg_class where oid = to_regclass(${name})`,
    lockRows: sql`for update`,
    async lockImports(transaction) {
      await sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`.execute(transaction);
    },
    async publish(transaction, orgIds) {
      for (const name of orgIds.length > MAX_PUBLISHED ? [ANY_ORG] : orgIds) {
        await sql`select pg_notify(${CHANNEL}, ${`${sender} ${name}`})`.execute(transaction);
      }
    },
    filter: "postgresql",
    memberOf: (column, member) => sql`${sql.ref(column)}::jsonb ->> ${sql.lit(member)}`,
    membersOf: (column) => ({
      members: sql`jsonb_each(${sql.ref(column)}::jsonb)`,
      value: sql`value::text`,
    }),
    contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
    insertLogEvents: insertOnPostgres,
    partitionByPublished: sql`partition by range (published)`,
    createPartitions: createDefaultPartition,
    createRateCounts: createCountsTable,
    addLogPartitions,
    expireLogEvents,
  };
}
