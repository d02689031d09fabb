import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { recordTokenUse } from "../store/records/api-tokens.js";
import type { Store } from "../store/store.js";

/** In milliseconds. Uses within this time after the last recorded one are not recorded. */
const INTERVAL_MS = 60_000;

/** Delay before uses are written, all together. */
const WRITE_MS = 500;

/** Records when API tokens were last used, to the minute. */
export interface TokenUses {
  /**
   * Never throws and never blocks.
   *
   * @param lastUsed the recorded use, as the request has read it
   */
  note(orgId: string, id: string, lastUsed: string | null): void;
  /** Write the uses that wait. */
  close(): Promise<void>;
}

export interface TokenUsesOptions {
  store: Pick<Store, "write">;
  log: Pick<Logger, "warn">;
  /**
   * Writes a use of what has the ids that are noted.
   *
   * @default recordTokenUse
   */
  record?: typeof recordTokenUse;
  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

/**
 * Write each use that is at least a minute after the recorded one, half a second later. So a token costs a write a minute
 * on all nodes together, however many requests it makes. Uses that can't be written are lost.
 */
export function createTokenUses({
  store,
  log,
  record = recordTokenUse,
  now = Date.now,
}: Readonly<TokenUsesOptions>): TokenUses {
  let waiting = new Map<string, { orgId: string; id: string; at: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  return {
    note(orgId, id, lastUsed) {
      const at = now();
      const key = `${orgId} ${id}`;
      if (waiting.has(key) || (lastUsed !== null && at - Date.parse(lastUsed) < INTERVAL_MS)) return;
      waiting.set(key, { orgId, id, at });
      timer ??= setTimeout(flush, WRITE_MS).unref();
    },
    async close() {
      flush();
      await writing;
    },
  };

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const taken = [...waiting.values()];
    waiting = new Map();
    writing = writing.then(() => write(taken));
  }

  /** A transaction for each, so that none holds the lock of a row while it waits for another. */
  async function write(uses: readonly { orgId: string; id: string; at: number }[]): Promise<void> {
    try {
      for (const { orgId, id, at } of uses) {
        const after = new Date(at - INTERVAL_MS).toISOString();
        const use = { orgId, id, at: new Date(at).toISOString(), after };
        await store.write((transaction) => record(transaction, use));
        await setImmediate(); // SQLite writes at once: without it all uses would have one turn
      }
    } catch (error) {
      log.warn({ err: error, lost: uses.length }, "uses of API tokens were not recorded");
    }
  }
}
