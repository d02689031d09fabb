/** Notices that orgs have changed. A notice takes the same time however much is cached. */
export interface Changes {
  /** How many notices there were. */
  count(): number;
  /** @param orgId `undefined` when any org may have changed */
  note(orgId: string | undefined): void;
  /** Whether there was a notice for this org after the first `before`; `undefined` stands for all orgs. */
  hasChanged(orgId: string | undefined, before: number): boolean;
}

export interface ChangesOptions {
  /** Milliseconds for which a notice is remembered. */
  memory: number;
  /** Milliseconds; never goes back. */
  now: () => number;
}

export function createChanges({ memory, now }: Readonly<ChangesOptions>): Changes {
  const latest = new Map<string, { readonly number: number; readonly time: number }>(); // by org, the oldest first
  let count = 0;
  let latestOfAny = 0;

  return {
    count: () => count,
    note(orgId) {
      count++;
      if (orgId === undefined) {
        latestOfAny = count;
        latest.clear();
        return;
      }
      const time = now();
      latest.delete(orgId);
      latest.set(orgId, { number: count, time });
      for (const [oldest, notice] of latest) {
        if (time - notice.time < memory) break;
        latest.delete(oldest);
      }
    },
    hasChanged(orgId, before) {
      if (before === count) return false;
      if (orgId === undefined) return true;
      return Math.max(latestOfAny, latest.get(orgId)?.number ?? 0) > before;
    },
  };
}
