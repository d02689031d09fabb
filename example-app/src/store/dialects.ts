import type { FilterDialect } from "etiquette/filter";
import { sql, type Kysely, type RawBuilder, type SqlBool } from "kysely";
import { insertOnPostgres, insertOnSqlite } from "./log-inserts.js";
import { addLogPartitions, createDefaultPartition, expireLogEvents } from "./log-partitions.js";
import type { Db, DbTransaction, LogEventRow } from "./schema.js";

/** What SQLite and PostgreSQL say in different words; all other queries and the migrations are the same on both. */
export interface Dialect {
  /** Type of a text column: compares and sorts by bytes. */
  readonly text: RawBuilder<unknown>;
  /** Ends a select in a transaction that writes: until that ends, no other one changes the rows. */
  readonly lockRows: RawBuilder<unknown>;
  /** Wait until no other import is under way, then keep others waiting until `transaction` ends. */
  readonly lockImports: (transaction: DbTransaction) => Promise<void>;
  /** Tell the other processes, when `transaction` commits, that these orgs changed. */
  readonly publish: (transaction: DbTransaction, orgIds: readonly string[]) => Promise<void>;
  /** What the filter of the suite calls it. */
  readonly filter: FilterDialect;
  /** The text of a member of the JSON document in a column. */
  readonly memberOf: (column: string, member: string) => RawBuilder<string | null>;
  /** Whether a text holds another one. */
  readonly contains: (text: RawBuilder<string>, part: string) => RawBuilder<SqlBool>;
  /** How many rows {@link insertLogEvents} is to be given at once, but for the last ones. */
  readonly logBatchSize: number;
  /** Add rows to the log. */
  readonly insertLogEvents: (transaction: DbTransaction, rows: readonly LogEventRow[]) => Promise<void>;
  /** Ends the definition of a table whose old rows are dropped by the week. */
  readonly partitionByPublished: RawBuilder<unknown>;
  readonly createPartitions: (db: Kysely<unknown>) => Promise<void>;
  /** See that the events of this time and of the weeks to come have a partition. */
  readonly addLogPartitions: (transaction: DbTransaction, now: string) => Promise<void>;
  /** Remove some of the events that were published before this time; whether more are left. */
  readonly expireLogEvents: (transaction: DbTransaction, before: string) => Promise<boolean>;
}

/** Called with the org whose routing may have changed; `undefined`: any of them may have. Must not throw. */
export type ChangeListener = (orgId: string | undefined) => void;

export interface Watcher {
  close(): Promise<void>;
}

/** An open database with a current schema. */
export interface Engine {
  readonly dialect: Dialect;
  /** For what only reads. */
  readonly reader: Db;
  /** For transactions that write. On SQLite a connection of its own, so that readers never wait for a writer. */
  readonly writer: Db;
  /** Hear of what other processes changed. */
  watch(listener: ChangeListener): Watcher;
  close(): Promise<void>;
}

/** Events that are deleted at once; libsql blocks the thread for a few milliseconds. */
const EXPIRE_COUNT = 500;

/** A transaction that writes holds the lock of the whole file, and other processes see for themselves that it changed. */
export const SQLITE: Dialect = {
  text: sql`text`,
  lockRows: sql``,
  lockImports: () => Promise.resolve(),
  publish: () => Promise.resolve(),
  filter: "sqlite",
  memberOf: (column, member) => sql`${sql.ref(column)} ->> ${sql.lit(member)}`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  logBatchSize: 25, // libsql blocks the thread for a millisecond, then other work gets its turn
  insertLogEvents: insertOnSqlite,
  partitionByPublished: sql``,
  createPartitions: () => Promise.resolve(),
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

/** Any number, the same in all processes. */
const IMPORT_LOCK = 6_573_102;

/** Where changes are published: `<sender> <org id>` or `<sender> *`. */
export const CHANNEL = "etiquette_changes";

export const ANY_ORG = "*";

/** More orgs in one transaction than this are published as {@link ANY_ORG}. */
const MAX_PUBLISHED = 100;

/** @param sender tells a store its own messages from those of others */
export function createPostgresDialect(sender: string): Dialect {
  return {
    text: sql`text collate "C"`,
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
    contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
    logBatchSize: 100,
    insertLogEvents: insertOnPostgres,
    partitionByPublished: sql`partition by range (published)`,
    createPartitions: createDefaultPartition,
    addLogPartitions,
    expireLogEvents,
  };
}
