import type { Quotas } from "../../model/quotas.js";
import type { ChangeNotes } from "./change-notes.js";
import type { Dialect } from "./dialect.js";
import type { Db, DbTransaction } from "./schema.js";

/** A writing transaction. */
export interface WriteTransaction {
  readonly db: DbTransaction;
  readonly dialect: Dialect;
  /** The time of the transaction, in the stored format. */
  readonly now: string;
  /** What each org may store. */
  readonly quotas: Quotas;
  /**
   * Report a change to data that the routing of this org depends on. On PostgreSQL it also blocks other writers of the
   * org, so call it before reading the data to change.
   *
   * @returns the number of the org's new revision, the same in the whole transaction
   */
  readonly touch: (orgId: string) => Promise<number>;
  /** The changes of this transaction, for the history of orgs. */
  readonly changes: ChangeNotes;
  /** Calls `done` when the transaction is committed, and not when it fails. */
  readonly onCommit: (done: () => void) => void;
}

/** The database for the server's own work. */
export interface OwnDatabase {
  readonly dialect: Dialect;
  /** For single reading statements. */
  readonly reader: Db;
  /** Run several reads on one snapshot. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Write everything or nothing. */
  write<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T>;
}
