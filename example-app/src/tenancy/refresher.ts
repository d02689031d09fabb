import { createTurns } from "../pace/turns.js";
import type { ChangeListener } from "../store/contract/engine.js";
import type { RevalidatingCache } from "./revalidating-cache.js";

/** How soon a change is read, in milliseconds: once for all changes of an org until then. */
const DELAY_MS = 500;

/** How many orgs are read at once. */
const SIZE = 4;

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
  const turns = createTurns({ size: SIZE, share: 1, maxWaiting: 1 });

  return function note(orgId) {
    const orgs = orgId === undefined ? caches.flatMap((cache) => Array.from(cache.orgs())) : [orgId];
    for (const id of orgs) schedule(id);
  };

  function schedule(orgId: string): void {
    if (due.has(orgId)) return;
    due.add(orgId);
    setTimeout(() => {
      due.delete(orgId);
      turns.run(orgId, () => refresh(orgId)).catch(ignore);
    }, DELAY_MS).unref();
  }

  async function refresh(orgId: string): Promise<void> {
    for (const cache of caches) await cache.refresh(orgId);
  }
}

function ignore(): void {
  // the database does not answer, or the change before is still being read: whoever asks next reads it
}
