/** Values that are forgotten after some time. */
export interface ExpiringMap<V> {
  /** Whether it has no value. Cheaper than {@link get}, if the key takes time to compute. */
  isEmpty(): boolean;
  get(key: string): V | undefined;
  /** @param duration milliseconds */
  set(key: string, value: V, duration: number): void;
}

/** @param maxEntries beyond this, the value that was set first is forgotten */
export function createExpiringMap<V>(maxEntries: number): ExpiringMap<V> {
  const entries = new Map<string, { readonly value: V; readonly end: number }>();
  let oldest = entries.keys(); // one iterator: each new one would skip all that was deleted
  let lastEnd = 0;

  return {
    isEmpty() {
      if (entries.size > 0 && performance.now() >= lastEnd) {
        entries.clear();
        oldest = entries.keys();
      }
      return entries.size === 0;
    },
    get(key) {
      const entry = entries.get(key);
      return entry && performance.now() < entry.end ? entry.value : undefined;
    },
    set(key, value, duration) {
      const end = performance.now() + duration;
      lastEnd = Math.max(lastEnd, end);
      entries.delete(key); // inserted again as the youngest
      entries.set(key, { value, end });
      if (entries.size > maxEntries) entries.delete(String(oldest.next().value));
    },
  };
}
