/** Remembers proofs, so that none is accepted twice. Give all nodes the same one. */
export interface DpopReplayStore {
  /**
   * Remember `key`, of 43 characters, until `expires`, in milliseconds since 1970. Returns or promises `true` when it was not
   * known, and `false` when it was. Both must be one step: of two calls at once, one gets `true`. In Redis it is
   * `SET key 1 NX PXAT expires`.
   */
  remember(key: string, expires: number): boolean | Promise<boolean>;
}

/** The memory of one process. When it is full, the proof that came first is forgotten. */
export function memoryDpopReplays(maxEntries: number, now: () => number): DpopReplayStore {
  const known = new Map<string, number>();

  return {
    remember(key, expires) {
      const until = known.get(key);
      if (until !== undefined && until > now()) return false;
      known.delete(key);
      forgetOld();
      known.set(key, expires);
      return true;
    },
  };

  /** Proofs expire nearly in the order in which they come, so the first two tell whether one can go. */
  function forgetOld(): void {
    const time = now();
    let looked = 0;
    for (const [key, expires] of known) {
      if (expires > time && known.size < maxEntries) return;
      known.delete(key);
      if (++looked === 2) return;
    }
  }
}
