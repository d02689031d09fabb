import { sql, type RawBuilder } from "kysely";
import type { Db, DbTransaction } from "./schema.js";

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

/** A transaction that writes holds the lock of the whole file, and other processes see for themselves that it changed. */
export const SQLITE: Dialect = {
  text: sql`text`,
  lockRows: sql``,
  lockImports: () => Promise.resolve(),
  publish: () => Promise.resolve(),
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
  };
}
