import type { Connections, ReadPlace } from "../contract/engine.js";
import type { Db } from "../contract/schema.js";

type Work<T> = (db: Db) => Promise<T>;

/** Reads that a replica may serve, for one purpose. They see all that was written before they began, and may run twice. */
export interface Reads {
  /** Run single reading statements. */
  query<T>(owner: string, work: Work<T>, signal?: AbortSignal): Promise<T>;
  /** Run several reads on one snapshot. */
  read<T>(owner: string, work: Work<T>, signal?: AbortSignal): Promise<T>;
}

export function createReads(primary: Connections, replica: ReadPlace | undefined): Reads {
  function run<T>(
    owner: string,
    { onReplica, work }: { onReplica: Work<T>; work: () => Promise<T> },
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const onPrimary = () => primary.turns.run(owner, work, signal);
    return replica ? replica.run({ owner, onReplica, onPrimary, signal }) : onPrimary();
  }

  return {
    query: (owner, work, signal) => run(owner, { onReplica: work, work: () => work(primary.reader) }, signal),
    read: (owner, work, signal) =>
      run(
        owner,
        { onReplica: (db) => readSnapshot(db, work), work: () => readSnapshot(primary.snapshots, work) },
        signal,
      ),
  };
}

export function readSnapshot<T>(db: Db, work: Work<T>): Promise<T> {
  return db.transaction().setAccessMode("read only").setIsolationLevel("repeatable read").execute(work);
}
