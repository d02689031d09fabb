import type { Dialect } from "./dialects.js";
import type { DbTransaction } from "./schema.js";

/** A transaction that writes. */
export interface WriteTransaction {
  readonly db: DbTransaction;
  readonly dialect: Dialect;
  /** The time of the transaction, as it is stored. */
  readonly now: string;
  /**
   * Say that something changed that the routing of this org depends on. On PostgreSQL it also keeps other writers of
   * the org waiting, so call it before reading what the change builds on.
   */
  readonly touch: (orgId: string) => Promise<void>;
}
