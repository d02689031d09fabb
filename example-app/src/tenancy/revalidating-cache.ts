/** A cache whose values are used for a limited time without checking that they are current. */
export interface RevalidatingCache<K, V> {
  /** The value: synchronously when it is fresh, `undefined` when there is none. */
  get(key: K): V | undefined | Promise<V | undefined>;
  /**
   * Revalidate everything that was loaded before this call. With `isAffected`, values for which it is false stay fresh.
   * Absences are always revalidated, because the change may have created the value.
   */
  expire(isAffected?: (value: V) => boolean): void;
}

export interface RevalidatingCacheOptions<K, V> {
  /** Find the value of `key`, or `undefined`. `known` is the value found before; return it when it is still current. */
  load: (key: K, known: V | undefined) => Promise<V | undefined>;

  /** Limit for values, and separately for absences, so that requests for unknown keys evict no value. */
  maxEntries: number;

  /** Milliseconds after which a value is revalidated even without a notice of a change. */
  maxAge: number;

  /**
   * A clock in milliseconds that never goes back.
   *
   * @default performance.now
   */
  now?: () => number;
}

interface Entry<V> {
  readonly value: V | undefined;
  freshUntil: number;
}

interface Load<V> {
  readonly result: Promise<V | undefined>;
  /** Something changed after it began. */
  outdated: boolean;
}

const EXPIRED = -Infinity;

/**
 * Cache the results of `load`. Callers that ask for the same key at the same time share one load, if they came before
 * the next change. Later callers wait for a second load, which receives the result of the first. A failed load rejects
 * for its callers and is not cached. The entries loaded longest ago are evicted first.
 */
export function createRevalidatingCache<K, V>({
  load,
  maxEntries,
  maxAge,
  now = () => performance.now(),
}: Readonly<RevalidatingCacheOptions<K, V>>): RevalidatingCache<K, V> {
  const present = new Map<K, Entry<V>>();
  const absent = new Map<K, Entry<V>>();
  const loads = new Map<K, Load<V>>();

  return {
    get(key) {
      const entry = present.get(key) ?? absent.get(key);
      return entry !== undefined && now() < entry.freshUntil ? entry.value : reload(key);
    },
    expire(isAffected = () => true) {
      for (const entry of present.values()) {
        if (entry.value !== undefined && isAffected(entry.value)) entry.freshUntil = EXPIRED;
      }
      absent.clear();
      for (const running of loads.values()) running.outdated = true;
    },
  };

  function reload(key: K): Promise<V | undefined> {
    const running = loads.get(key);
    if (running && !running.outdated) return running.result;

    const started: Load<V> = { outdated: false, result: run() };
    loads.set(key, started);
    return started.result;

    async function run(): Promise<V | undefined> {
      const known = (await running?.result.catch(() => undefined)) ?? present.get(key)?.value;
      const start = now();
      try {
        const value = await load(key, known);
        keep(key, { value, freshUntil: started.outdated ? EXPIRED : start + maxAge });
        return value;
      } finally {
        if (loads.get(key) === started) loads.delete(key);
      }
    }
  }

  function keep(key: K, entry: Entry<V>): void {
    const [entries, others] = entry.value === undefined ? [absent, present] : [present, absent];
    others.delete(key);
    entries.delete(key); // reinserted as the youngest
    entries.set(key, entry);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value as K);
  }
}
