/** A map that forgets what was set longest ago. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V, bytes: number): void;
  delete(key: K): void;
  /** How many values there are. */
  readonly count: number;
  /** How much they take. */
  readonly bytes: number;
}

export interface Bounds {
  readonly maxEntries: number;
  /** One value alone may take more. */
  readonly maxBytes: number;
}

export function createBoundedMap<K, V>({ maxEntries, maxBytes }: Bounds): BoundedMap<K, V> {
  const entries = new Map<K, { readonly value: V; readonly bytes: number }>();
  let total = 0;

  function remove(key: K): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  return {
    get count() {
      return entries.size;
    },
    get bytes() {
      return total;
    },
    get: (key) => entries.get(key)?.value,
    delete: remove,
    set(key, value, bytes) {
      remove(key);
      entries.set(key, { value, bytes }); // as the youngest
      total += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size === 1 || (entries.size <= maxEntries && total <= maxBytes)) return;
        remove(oldest);
      }
    },
  };
}
