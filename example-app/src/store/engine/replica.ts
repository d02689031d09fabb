import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import type { TurnWatch } from "../../pace/turn-watch.js";
import type { Read, ReplicaReads, ReplicaState, ReplicaStats } from "../contract/engine.js";
import { messageOf } from "../contract/errors.js";
import { openPool, type NamedConnections } from "./postgres-pool.js";
import type { Db } from "../contract/schema.js";
import { findUnfitness, readStanding, type WalPosition } from "./wal-position.js";

/*
 * A read goes to the replica in three steps: the primary says how far its log has come, the replica is asked until it has
 * replayed that much, and the same connection reads. So the read sees everything that anybody could see before it began,
 * whichever process wrote it. What fails on the replica is read again on the primary.
 */

/** How often a replica is tried that gets reads, or that should. In milliseconds, like the others. */
const BEAT_MS = 300;

/** A replica that takes longer than this to say how far it has come hangs. Its reads then go to the primary. */
const PATIENCE_MS = 500;

const CONNECT_MS = 2_000;

/** A replica that failed gets reads again after so many beats without a failure. */
const BEATS_TO_RETURN = 3;

/** SQLSTATE of a statement that was cancelled: it took too long, or its client has gone. A conflict with the log has another. */
const CANCELLED = "57014";

export interface Replica extends ReplicaReads {
  readonly pools: readonly NamedConnections[];
  stats(): ReplicaStats;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  /** To the replica. */
  readonly connection: ClientConfig;
  /** Asks the primary. */
  readonly askPosition: () => Promise<WalPosition>;
  /** How long a read waits for the replica, in milliseconds. */
  readonly maxLag: number;
  /** The number of connections for each purpose. */
  readonly sizes: Readonly<Record<"discovery" | "api", number>>;
  /** How long a statement may run, in milliseconds. */
  readonly timeout: number;
  readonly isPooled: boolean;
  readonly watch?: TurnWatch | undefined;
  /** Called when the replica begins or ceases to get reads. */
  readonly report: (state: ReplicaState) => void;
}

/** The replica must not get this read. */
class UnfitError extends Error {
  override readonly name = "UnfitError";
}

/** Use a replica whenever it is there and fit. It gets no reads before it was tried, which takes a moment. */
// eslint-disable-next-line max-lines-per-function -- its functions share what is known of the replica
export function openReplica(options: Readonly<ReplicaOptions>): Replica {
  const { askPosition, maxLag, sizes, timeout, isPooled, report, watch } = options;
  const connection = { ...options.connection, connectionTimeoutMillis: CONNECT_MS };
  const failures = new WeakSet<object>(); // what the replica's connections failed with
  const onError = (error: unknown) => {
    if (typeof error === "object" && error !== null) failures.add(error);
  };
  const common = { onError, isPooled, timeout, watch };
  const pools = {
    discovery: openPool(connection, { name: "replica_discovery", size: sizes.discovery, ...common }),
    api: openPool(connection, { name: "replica_api", size: sizes.api, ...common }),
  };
  const tries = openPool({ ...connection, query_timeout: PATIENCE_MS }, { name: "replica", size: 1, ...common });
  const inFlight = new Set<(error: Error) => void>();
  const ending = new AbortController();
  const reads = { replica: 0, primary: 0 };
  let state: ReplicaState = { isUsed: false, reason: undefined };
  let goodBeats = BEATS_TO_RETURN; // at the start the first one suffices
  let lastLag = 0;
  let behindSince: number | undefined; // when the oldest position that it has not reached was asked for

  const beating = beatUntilEnd();
  return {
    discovery: { run: (read) => run(pools.discovery, read) },
    api: { run: (read) => run(pools.api, read) },
    pools: Object.values(pools),
    stats: () => ({ isUsed: state.isUsed, lag: readLag() / 1_000, reads: { ...reads } }),
    async close() {
      ending.abort();
      await beating;
      await Promise.all([...Object.values(pools), tries].map(({ reader }) => reader.destroy()));
    },
  };

  async function run<T>({ reader, turns }: NamedConnections, read: Read<T>): Promise<T> {
    const { owner, onReplica, onPrimary, signal } = read;
    if (state.isUsed) {
      try {
        const result = await turns.run(owner, () => orUntilLost(readHere(reader, onReplica)), signal);
        reads.replica++;
        return result;
      } catch (error) {
        if (!isRepeatable(error)) throw error;
        if (error instanceof UnfitError) stop(error.message); // whether it is away, its trials tell
      }
    }
    reads.primary++;
    return onPrimary();
  }

  async function readHere<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
    if (!state.isUsed) throw new UnfitError(state.reason); // it was lost while the read waited for its turn
    const deadline = performance.now() + maxLag;
    const position = await askPrimary();
    return db.connection().execute(async (own) => {
      await waitFor(own, position, deadline);
      return work(own);
    });
  }

  async function askPrimary(): Promise<WalPosition> {
    try {
      return await askPosition();
    } catch (error) {
      throw new UnfitError(`the primary does not say how far it is: ${messageOf(error)}`);
    }
  }

  /** Rejects when the replica is lost before `work` is done, which may then never be. */
  function orUntilLost<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      inFlight.add(reject);
      void work.then(resolve, reject).finally(() => inFlight.delete(reject));
    });
  }

  /** Only what the replica is to blame for. The primary would end a statement that takes too long, too. */
  function isRepeatable(error: unknown): boolean {
    if (error instanceof UnfitError) return true;
    return failures.has(Object(error) as object) && (error as { code?: unknown }).code !== CANCELLED;
  }

  async function beatUntilEnd(): Promise<void> {
    while (!ending.signal.aborted) {
      await beat();
      await pause(BEAT_MS);
    }
  }

  /** Find out how long the replica takes to reach the position that the primary has now. */
  async function beat(): Promise<void> {
    const begin = performance.now();
    behindSince ??= begin;
    try {
      const position = await askPrimary();
      for (let wait = 1; !ending.signal.aborted; wait = Math.min(2 * wait, BEAT_MS)) {
        const isReached = await tryReplica(position);
        const lag = performance.now() - begin;
        if (isReached) {
          lastLag = wait === 1 ? 0 : lag;
          behindSince = undefined;
          if (lastLag <= maxLag) noteGoodBeat();
          return;
        }
        if (lag > maxLag) stop(describeLag());
        await pause(wait);
      }
    } catch (error) {
      stop(messageOf(error));
    }
  }

  /** Whether it has reached the position. When it is silent, so are its other connections, and nobody waits for them. */
  async function tryReplica(position: WalPosition): Promise<boolean> {
    const closers = Object.values(pools).map((pool) => pool.suspect());
    try {
      const standing = await readStanding(tries.reader, position);
      const unfitness = findUnfitness(standing, position);
      if (unfitness !== undefined) throw new UnfitError(unfitness);
      return standing.isReached;
    } catch (error) {
      if (!(error instanceof UnfitError)) {
        for (const reject of inFlight) reject(new UnfitError(messageOf(error)));
        for (const close of closers) close();
      }
      throw error;
    }
  }

  async function waitFor(db: Db, position: WalPosition, deadline: number): Promise<void> {
    for (let wait = 1; ; wait *= 2) {
      const standing = await readStanding(db, position);
      const unfitness = findUnfitness(standing, position);
      if (unfitness !== undefined) throw new UnfitError(unfitness);
      if (standing.isReached) return;
      const left = deadline - performance.now();
      if (left <= 0) throw new UnfitError(describeLag());
      await sleep(Math.min(wait, left));
    }
  }

  function describeLag(): string {
    return `it is more than ${maxLag} ms behind`;
  }

  function readLag(): number {
    return Math.max(lastLag, behindSince === undefined ? 0 : performance.now() - behindSince);
  }

  function noteGoodBeat(): void {
    goodBeats++;
    if (state.isUsed || goodBeats < BEATS_TO_RETURN) return;
    state = { isUsed: true, reason: undefined };
    report(state);
  }

  function stop(reason: string): void {
    goodBeats = 0;
    if (!state.isUsed && state.reason === reason) return;
    const isNews = state.isUsed || state.reason === undefined;
    state = { isUsed: false, reason };
    if (isNews) report(state);
  }

  async function pause(duration: number): Promise<void> {
    await sleep(duration, undefined, { ref: false, signal: ending.signal }).catch(ignore);
  }
}

function ignore(): void {
  // it ends
}
