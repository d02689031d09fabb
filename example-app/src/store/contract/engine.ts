import type { Turns } from "../../pace/turns.js";
import type { SharedCounter } from "./counter.js";
import type { Dialect } from "./dialect.js";
import type { DatabaseErrorKind } from "./error-counts.js";
import type { Db } from "./schema.js";

/** Called with the org whose routing may have changed, or with `undefined` when any may have. Must not throw. */
export type ChangeListener = (orgId: string | undefined) => void;

export interface Watcher {
  close(): Promise<void>;
}

export interface EngineWatcher extends Watcher {
  /** Resolves when it hears of each change from then on; at once while it does. */
  ready(): Promise<void>;
  /** Whether it has heard of each change that was committed more than half a second ago. */
  hears(): boolean;
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
  /** The org whose turn it takes. */
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
  /** Migrations of the next version of the server, which have run already. */
  readonly newer: readonly string[];
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
  watch(listener: ChangeListener): EngineWatcher;
  close(): Promise<void>;
}

/** Work of one owner that may wait for connections, or for a slice. */
export const MAX_WAITING = 100;
