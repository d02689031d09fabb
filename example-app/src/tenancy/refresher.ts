import { setImmediate } from "node:timers/promises";
import { createTurns } from "../pace/turns.js";
import type { ChangeListener } from "../store/contract/engine.js";
import type { RevalidatingCache } from "./revalidating-cache.js";

/** How soon a change is read, in milliseconds: once for all changes of an org until then. */
const DELAY_MS = 500;

/** How many orgs are read at once, and how many get into the queue in one turn of the event loop. */
const SIZE = 4;
const PER_TURN = 200;

/**
 * Reads what is known of an org again when that has changed, although nobody asks for it. Otherwise an outage would bring back
 * what counted when somebody last asked: an org that was suspended since then, or a provider that was switched off.
 *
 * @returns what to call when an org, or any, has changed
 */
export function createRefresher(
  caches: readonly Pick<RevalidatingCache<string, unknown>, "orgs" | "refresh">[],
): ChangeListener {
  const due = new Set<string>();
  // SQLite answers at once: without a rest all orgs that wait would be read in one turn
  const rest = (next: () => void) => void setImmediate().then(next);
  const turns = createTurns({ size: SIZE, share: 1, maxWaiting: 1, rest });

  return function note(orgId) {
    if (due.size === 0) setTimeout(() => void begin(), DELAY_MS).unref();
    if (orgId !== undefined) due.add(orgId);
    else for (const cache of caches) for (const id of cache.orgs()) due.add(id);
  };

  async function begin(): Promise<void> {
    const orgs = Array.from(due);
    due.clear();
    for (const [index, orgId] of orgs.entries()) {
      if (index % PER_TURN === PER_TURN - 1) await setImmediate();
      turns.run(orgId, () => refresh(orgId)).catch(ignore);
    }
  }

  async function refresh(orgId: string): Promise<void> {
    for (const cache of caches) await cache.refresh(orgId);
  }
}

function ignore(): void {
  // the database does not answer, or the change before is still being read: whoever asks next reads it
}
