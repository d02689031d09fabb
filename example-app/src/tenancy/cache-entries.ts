import { LRUCache } from "lru-cache";

export interface Entry<V> {
  readonly value: V | undefined;
  readonly freshUntil: number;
  /** How many changes there were when its load began. */
  readonly changes: number;
}

/** The bounds hold for values, and separately for absences, so that requests for unknown keys evict no value. */
export interface EntriesOptions<K, V> {
  readonly maxEntries: number;

  /** One value alone may take more. It counts as this much. */
  readonly maxBytes: number;

  /**
   * The org that a value belongs to; `undefined` when a change of any org may concern it. The value is `undefined` for an
   * absence, because a change may create the value, and while it is loaded.
   */
  orgOf: (key: K, value: V | undefined) => string | undefined;

  /** The approximate memory that a key and its value, if there is one, take in bytes. */
  sizeOf: (key: K, value: V | undefined) => number;
}

/** Values and absences, each within the bounds. */
export function createEntries<K extends string, V>({
  maxEntries,
  maxBytes,
  sizeOf,
  orgOf,
}: Readonly<EntriesOptions<K, V>>) {
  // without `max`, for which LRUCache takes the memory of so many entries at once
  const bounds = { maxSize: Math.max(1, Math.floor(maxBytes)) };
  const keys = createKeysByOrg<K>();
  const present = new LRUCache<K, Entry<V>>({
    ...bounds,
    dispose({ value }, key) {
      keys.delete(orgOf(key, value), key);
    },
  });
  const absent = new LRUCache<K, Entry<V>>(bounds);

  return {
    get: (key: K) => present.get(key) ?? absent.get(key),
    /** A value, without counting that as a use. */
    peek: (key: K) => present.peek(key),
    keep(key: K, entry: Entry<V>): void {
      const [kept, others] = entry.value === undefined ? [absent, present] : [present, absent];
      others.delete(key);
      const size = Math.ceil(sizeOf(key, entry.value));
      kept.set(key, entry, { size: Math.min(Math.max(1, size), bounds.maxSize) });
      if (kept.size > maxEntries) kept.pop();
      if (kept === present) keys.add(orgOf(key, entry.value), key);
    },
    lastOf: keys.lastOf,
    orgs: keys.orgs,
    measure: () => ({
      entries: present.size + absent.size,
      bytes: present.calculatedSize + absent.calculatedSize,
    }),
  };
}

/** The keys of each org, the one added last at the end. */
function createKeysByOrg<K extends string>() {
  const byOrg = new Map<string, Set<K>>();

  return {
    add(orgId: string | undefined, key: K): void {
      if (orgId === undefined) return;
      const own = byOrg.get(orgId) ?? new Set();
      byOrg.set(orgId, own.add(key));
    },
    delete(orgId: string | undefined, key: K): void {
      if (orgId === undefined) return;
      const own = byOrg.get(orgId);
      own?.delete(key);
      if (own?.size === 0) byOrg.delete(orgId);
    },
    lastOf: (orgId: string, count: number): K[] => Array.from(byOrg.get(orgId) ?? []).slice(-count),
    orgs: (): Iterable<string> => byOrg.keys(),
  };
}
