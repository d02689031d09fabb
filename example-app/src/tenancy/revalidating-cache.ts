/** Values by key that are kept in memory, each for a bounded time without asking whether it is still current. */
export interface RevalidatingCache<K, V> {
  /** The value, at once when it is fresh. */
  get(key: K): V | undefined | Promise<V | undefined>;
  /**
   * From now on, trust no answer that is older than this call. Where `isAffected` is given, values that it is false for
   * stay; absent ones never do, for whatever changed may have brought them.
   */
  expire(isAffected?: (value: V) => boolean): void;
}

export interface RevalidatingCacheOptions<K, V> {
  /**
   * Find the value of `key`; `undefined` when there is none. `known` is what was found before: return it when it is
   * still current.
   */
  load: (key: K, known: V | undefined) => Promise<V | undefined>;

  /** As many values are kept, and as many absences, apart from each other: asking for nonsense drives out no value. */
  maxEntries: number;

  /** Milliseconds after which a value is looked up again, although nobody said that it changed. */
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
  /** Something changed since it began. */
  outdated: boolean;
}

const EXPIRED = -Infinity;

/**
 * Keep what `load` finds. Of callers that ask for the same key at the same time, one load serves all who came before the
 * next change; those who come after it wait for a second one, which knows what the first found. A failed load fails its
 * callers and is forgotten. The entries that were looked up longest ago make room for new ones.
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
    entries.delete(key); // to become the youngest
    entries.set(key, entry);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value as K);
  }
}
