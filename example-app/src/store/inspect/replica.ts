import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { messageOf, StoreError } from "../contract/errors.js";
import { createInspectingClient } from "./client.js";
import { withoutPassword } from "../engine/postgres.js";
import {
  findUnfitness,
  firstOf,
  POSITION_SQL,
  STANDING_SQL,
  type Standing,
  type WalPosition,
} from "../engine/wal-position.js";

/** How often it is asked, in milliseconds. */
const STEP_MS = 20;

export interface ReplicaInspection {
  /** Why it can't serve reads at all. */
  readonly unfitness: string | undefined;
  /** Whether it reached the position of the primary in time. */
  readonly isCurrent: boolean;
}

export interface ReplicaQuestion {
  readonly databaseUrl: string;
  readonly readUrl: string;
  /** In milliseconds. */
  readonly maxLag: number;
}

/**
 * Whether the server at `readUrl` can serve reads for the primary at `databaseUrl`.
 *
 * @throws {StoreError} when one of them can't be read, with the reason in one line
 */
export async function inspectReplica({ databaseUrl, readUrl, maxLag }: ReplicaQuestion): Promise<ReplicaInspection> {
  const position = await ask(databaseUrl, async (primary) => firstOf(await primary.query<WalPosition>(POSITION_SQL)));
  return ask(readUrl, async (replica) => {
    const deadline = performance.now() + maxLag;
    for (;;) {
      const standing = firstOf(await replica.query<Standing>(STANDING_SQL, [position.lsn]));
      const unfitness = findUnfitness(standing, position);
      const isCurrent = standing.isReached;
      if (unfitness !== undefined || isCurrent || performance.now() > deadline) return { unfitness, isCurrent };
      await sleep(STEP_MS);
    }
  });
}

async function ask<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createInspectingClient(url);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw new StoreError(`The database ${withoutPassword(url)} can't be read: ${messageOf(error)}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
