import type { Quotas } from "../../model/quotas.js";
import type { Dialect } from "./dialects.js";
import type { DbTransaction } from "./schema.js";

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
   */
  readonly touch: (orgId: string) => Promise<void>;
}
