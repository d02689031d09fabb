import type { Quotas } from "../../model/quotas.js";
import type { TurnWatch } from "../../pace/turn-watch.js";
import type { ReplicaState } from "./engine.js";

export interface StoreOptions {
  /**
   * A PostgreSQL database, `postgres://…`.
   *
   * @default undefined, SQLite in the data folder
   */
  databaseUrl?: string | undefined;

  /**
   * The same database for the one connection that listens for changes; `databaseUrl` may then lead to a pool by
   * transaction, such as PgBouncer.
   *
   * @default databaseUrl
   */
  listenUrl?: string | undefined;

  /**
   * A replica of `databaseUrl`. It serves reads while it keeps up, and its faults are not seen.
   *
   * @default undefined: the primary serves all reads
   */
  readUrl?: string | undefined;

  /**
   * How long a read waits for the replica to catch up, in milliseconds. Then the primary serves it.
   *
   * @default 100
   */
  readMaxLag?: number;

  /**
   * Called when the replica begins or ceases to get reads.
   *
   * @default () => undefined
   */
  reportReplica?: (state: ReplicaState) => void;

  /** Folder of the SQLite file `etiquette.db`; created when it is missing. */
  dataFolder: string;

  /**
   * The most rows that a request of an org searches, one by one.
   *
   * @default 100000
   */
  searchLimit?: number;

  /**
   * How long PostgreSQL may run a statement of a request, in seconds.
   *
   * @default 10
   */
  statementTimeout?: number;

  /**
   * Connections to PostgreSQL for the resources of the API.
   *
   * @default 6
   */
  apiConnections?: number;

  /**
   * The current time.
   *
   * @default () => new Date()
   */
  clock?: () => Date;

  /**
   * What each org may store.
   *
   * @default DEFAULT_QUOTAS
   */
  quotas?: Quotas;

  /**
   * Whether the store runs the migrations that are missing. Otherwise it does not open a database that lacks some.
   *
   * @default true
   */
  migrate?: boolean;

  /**
   * Called with a line for each migration that ran while others used the database.
   *
   * @default () => undefined
   */
  reportMigration?: (line: string) => void;

  /** Is told for whom statements work; by default nobody is. */
  watch?: TurnWatch;
}

/** The defaults of {@link StoreOptions}. */
export const STORE_LIMITS = { searchLimit: 100_000, statementTimeout: 10, apiConnections: 6, readMaxLag: 100 } as const;
