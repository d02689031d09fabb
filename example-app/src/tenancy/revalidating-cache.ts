import { LRUCache } from "lru-cache";
import { createChanges } from "./changes.js";
import type { Outage } from "./outage.js";

/** A cache whose values are used for a limited time without checking that they are current. */
export interface RevalidatingCache<K, V> {
  /** The value: synchronously when it is fresh, `undefined` when there is none. */
  get(key: K): V | undefined | Promise<V | undefined>;
  /** Revalidate what was loaded before this call: what belongs to an org, or everything. */
  expire(orgId?: string): void;
  stats(): CacheStats;
}

/** How a cache is used. */
export interface CacheStats {
  /** Look-ups that found a value, or a known absence, that was fresh. */
  readonly hits: number;
  /** Look-ups that found a value that was not fresh, while the database did not answer. */
  readonly stale: number;
  /** All others. */
  readonly misses: number;
  /** Values and absences that are kept. */
  readonly entries: number;
  /** The approximate memory that they take. */
  readonly bytes: number;
}

/** The bounds hold for values, and separately for absences, so that requests for unknown keys evict no value. */
export interface RevalidatingCacheOptions<K, V> {
  readonly maxEntries: number;

  /** One value alone may take more. It counts as this much. */
  readonly maxBytes: number;

  /** Find the value of `key`, or `undefined`. `known` is the value found before; return it when it is still current. */
  load: (key: K, known: V | undefined) => Promise<V | undefined>;

  /**
   * The org that a value belongs to; `undefined` when a change of any org may concern it. The value is `undefined` for an
   * absence, because a change may create the value, and while it is loaded.
   */
  orgOf: (key: K, value: V | undefined) => string | undefined;

  /** The approximate memory that a key and its value, if there is one, take in bytes. */
  sizeOf: (key: K, value: V | undefined) => number;

  /** Milliseconds after which a value is revalidated even without a notice of a change. */
  maxAge: number;

  /**
   * Tells whether the database answers, and how old values may be while it doesn't.
   *
   * @default a failed load rejects for its callers, whatever is known
   */
  outage?: Outage | undefined;

  /**
   * A clock in milliseconds that never goes back.
   *
   * @default performance.now
   */
  now?: () => number;
}

interface Entry<V> {
  readonly value: V | undefined;
  readonly freshUntil: number;
  /** How many changes there were when its load began. */
  readonly changes: number;
}

interface Load<V> {
  readonly result: Promise<V | undefined>;
  /** How many changes there were when it began; `undefined` while it waits for the load before it. */
  changes: number | undefined;
}

/**
 * Cache the results of `load`. Callers that ask for the same key at the same time share one load, if they came before
 * the next change. Later callers wait for a second load, however many changes there are until the first one ends; it
 * receives the result of the first. A failed load is not cached; it rejects for its callers, unless that is an outage in
 * which the value that is known counts. The entries used longest ago are evicted first.
 */
export function createRevalidatingCache<K extends string, V>({
  load,
  orgOf,
  sizeOf,
  maxEntries,
  maxBytes,
  maxAge,
  outage,
  now = () => performance.now(),
}: Readonly<RevalidatingCacheOptions<K, V>>): RevalidatingCache<K, V> {
  const entries = createEntries<K, V>({ maxEntries, maxBytes, sizeOf });
  const loads = new Map<K, Load<V>>();
  const changes = createChanges({ memory: maxAge, now }); // older ones concern nothing that is fresh
  let hits = 0;
  let misses = 0;
  let stale = 0;

  return {
    get(key) {
      const entry = entries.get(key);
      const isFresh = entry !== undefined && now() < entry.freshUntil && !isOutdated(key, entry.value, entry.changes);
      if (isFresh) {
        hits++;
        return entry.value;
      }
      const known = entry && outage?.covers(now() + maxAge - entry.freshUntil) ? entry.value : undefined;
      if (known === undefined || !outage?.isOn()) misses++;
      else stale++;
      return known === undefined || !outage ? reload(key) : outage.bridge(() => reload(key), known);
    },
    expire(orgId) {
      changes.note(orgId);
    },
    stats: () => ({ hits, misses, stale, ...entries.measure() }),
  };

  function reload(key: K): Promise<V | undefined> {
    const running = loads.get(key);
    if (running && !isOutdated(key, undefined, running.changes)) return running.result;

    const started: Load<V> = { changes: undefined, result: run() };
    loads.set(key, started);
    return started.result;

    async function run(): Promise<V | undefined> {
      const known = (await running?.result.catch(() => undefined)) ?? entries.peek(key)?.value;
      const before = changes.count();
      started.changes = before;
      const freshUntil = now() + maxAge;
      try {
        const value = await load(key, known);
        entries.keep(key, { value, freshUntil, changes: before });
        return value;
      } finally {
        if (loads.get(key) === started) loads.delete(key);
      }
    }
  }

  function isOutdated(key: K, value: V | undefined, before: number | undefined): boolean {
    return before !== undefined && changes.hasChanged(orgOf(key, value), before);
  }
}

/** Values and absences, each within the bounds. */
function createEntries<K extends string, V>({
  maxEntries,
  maxBytes,
  sizeOf,
}: Readonly<Pick<RevalidatingCacheOptions<K, V>, "maxEntries" | "maxBytes" | "sizeOf">>) {
  const bounds = { max: maxEntries, maxSize: Math.max(1, Math.floor(maxBytes)) };
  const present = new LRUCache<K, Entry<V>>(bounds);
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
    },
    measure: (): Pick<CacheStats, "entries" | "bytes"> => ({
      entries: present.size + absent.size,
      bytes: present.calculatedSize + absent.calculatedSize,
    }),
  };
}
