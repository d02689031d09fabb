import { createBoundedMap, type Bounds } from "./bounded-map.js";

/** A cache whose values are used for a limited time without checking that they are current. */
export interface RevalidatingCache<K, V> {
  /** The value: synchronously when it is fresh, `undefined` when there is none. */
  get(key: K): V | undefined | Promise<V | undefined>;
  /**
   * Revalidate everything that was loaded before this call, except that for which `isAffected` is false. The value is
   * `undefined` for an absence, because a change may create the value, and while it is loaded.
   */
  expire(isAffected?: (key: K, value: V | undefined) => boolean): void;
  stats(): CacheStats;
}

/** How a cache is used. */
export interface CacheStats {
  /** Look-ups that found a value, or a known absence, that was fresh. */
  readonly hits: number;
  /** All others. */
  readonly misses: number;
  /** Values and absences that are kept. */
  readonly entries: number;
  /** About the memory that they take. */
  readonly bytes: number;
}

/** The bounds hold for values, and separately for absences, so that requests for unknown keys evict no value. */
export interface RevalidatingCacheOptions<K, V> extends Bounds {
  /** Find the value of `key`, or `undefined`. `known` is the value found before; return it when it is still current. */
  load: (key: K, known: V | undefined) => Promise<V | undefined>;

  /** About the memory that a value and its key take, in bytes; of an absence without the value. */
  sizeOf: (key: K, value: V | undefined) => number;

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
  /** `false` while it waits for the load before it; changes in this time don't matter to it. */
  begun: boolean;
  /** Something changed after it began. */
  outdated: boolean;
}

const EXPIRED = -Infinity;

/**
 * Cache the results of `load`. Callers that ask for the same key at the same time share one load, if they came before
 * the next change. Later callers wait for a second load, however many changes there are until the first one ends; it
 * receives the result of the first. A failed load rejects for its callers and is not cached. The entries loaded longest
 * ago are evicted first.
 */
export function createRevalidatingCache<K, V>({
  load,
  sizeOf,
  maxEntries,
  maxBytes,
  maxAge,
  now = () => performance.now(),
}: Readonly<RevalidatingCacheOptions<K, V>>): RevalidatingCache<K, V> {
  const present = createBoundedMap<K, Entry<V>>({ maxEntries, maxBytes });
  const absent = createBoundedMap<K, Entry<V>>({ maxEntries, maxBytes });
  const loads = new Map<K, Load<V>>();
  let hits = 0;
  let misses = 0;

  return {
    get(key) {
      const entry = present.get(key) ?? absent.get(key);
      const isFresh = entry !== undefined && now() < entry.freshUntil;
      if (isFresh) hits++;
      else misses++;
      return isFresh ? entry.value : reload(key);
    },
    expire(isAffected = () => true) {
      for (const entries of [present, absent]) {
        for (const [key, entry] of entries) {
          if (isAffected(key, entry.value)) entry.freshUntil = EXPIRED;
        }
      }
      for (const [key, running] of loads) {
        if (running.begun && isAffected(key, undefined)) running.outdated = true;
      }
    },
    stats: () => ({ hits, misses, entries: present.count + absent.count, bytes: present.bytes + absent.bytes }),
  };

  function reload(key: K): Promise<V | undefined> {
    const running = loads.get(key);
    if (running && !running.outdated) return running.result;

    const started: Load<V> = { begun: false, outdated: false, result: run() };
    loads.set(key, started);
    return started.result;

    async function run(): Promise<V | undefined> {
      const known = (await running?.result.catch(() => undefined)) ?? present.get(key)?.value;
      started.begun = true;
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
    entries.set(key, entry, sizeOf(key, entry.value));
  }
}
