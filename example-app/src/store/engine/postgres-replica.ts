import type { ClientConfig } from "pg";
import type { TurnWatch } from "../../pace/turn-watch.js";
import type { ReplicaState } from "../contract/engine.js";
import { shareConnections } from "./postgres-connections.js";
import { openReplica, type Replica } from "./replica.js";
import { createPositions } from "./wal-position.js";

/** How long the primary may take to say how far it has come. In milliseconds. */
const POSITION_MS = 1_000;

export interface PostgresReplicaOptions {
  /** A replica, for reads. */
  readonly readUrl?: string | undefined;
  /** How long a read waits for the replica to catch up, in milliseconds. */
  readonly readMaxLag: number;
  /** Called when the replica begins or ceases to get reads. */
  readonly reportReplica?: ((state: ReplicaState) => void) | undefined;
  readonly watch?: TurnWatch | undefined;
}

interface ConnectionFacts {
  /** To the primary. */
  readonly connection: ClientConfig;
  readonly isPooled: boolean;
  /** How long a statement of a request may run, in milliseconds. */
  readonly timeout: number;
  /** The number of connections for each purpose. */
  readonly sizes: Readonly<Record<"discovery" | "api", number>>;
}

/** The replica of the primary, if there is one. The primary gets one more connection, which its position is asked over. */
export function openReplicaOf(
  { connection, isPooled, timeout, sizes }: ConnectionFacts,
  { readUrl, readMaxLag: maxLag, reportReplica: report = ignore, watch }: Readonly<PostgresReplicaOptions>,
): Replica | undefined {
  if (readUrl === undefined) return undefined;
  const limits = { connectionTimeoutMillis: POSITION_MS, query_timeout: POSITION_MS };
  const positions = shareConnections({ ...connection, ...limits, max: 1 });
  const askPosition = createPositions(positions);
  const replica = openReplica({
    connection: { ...connection, connectionString: readUrl },
    askPosition,
    maxLag,
    sizes,
    timeout,
    isPooled,
    report,
    watch,
  });
  return {
    ...replica,
    async close() {
      await replica.close();
      await positions.end();
    },
  };
}

function ignore(): void {
  // nobody wants to know
}
