import { createEntries, type EntriesOptions } from "./cache-entries.js";
import { createChanges } from "./changes.js";
import { createReload } from "./reload.js";
import type { Outage } from "./outage.js";

/** A cache whose values are used for a limited time without checking that they are current. */
export interface RevalidatingCache<K, V> {
  /** The value: synchronously when it is fresh, `undefined` when there is none. */
  get(key: K): V | undefined | Promise<V | undefined>;
  /** Revalidate what was loaded before this call: what belongs to an org, or everything. */
  expire(orgId?: string): void;
  /** Load again what is known of an org, if that was expired: the values that were loaded last. */
  refresh(orgId: string): Promise<void>;
  /** The orgs of which something is known. */
  orgs(): Iterable<string>;
  stats(): CacheStats;
}

/** Milliseconds after which a value is revalidated while changes may be missed. */
const UNHEARD_AGE_MS = 500;

/** The most values of one org that are loaded again at a time. */
export const MAX_REFRESHED = 20;

/** How a cache is used. */
export interface CacheStats {
  /** Look-ups that found a value, or a known absence, that was fresh. */
  readonly hits: number;
  /** Those whose result was a value that was not fresh, because of the database. */
  readonly stale: number;
  /** Look-ups that asked the database, or waited for another one that did. */
  readonly misses: number;
  /** Values and absences that are kept. */
  readonly entries: number;
  /** The approximate memory that they take. */
  readonly bytes: number;
}

export interface RevalidatingCacheOptions<K, V> extends EntriesOptions<K, V> {
  /** Find the value of `key`, or `undefined`. `known` is the value found before; return it when it is still current. */
  load: (key: K, known: V | undefined) => Promise<V | undefined>;

  /** Milliseconds after which a value is revalidated even without a notice of a change. */
  maxAge: number;

  /**
   * Whether there is a notice of each change within half a second. A node whose connection for notices is silent does not
   * know of a change, though its other connections may work.
   *
   * @default always
   */
  hears?: () => boolean;

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
  hears = () => true,
  outage,
  now = () => performance.now(),
}: Readonly<RevalidatingCacheOptions<K, V>>): RevalidatingCache<K, V> {
  const entries = createEntries<K, V>({ maxEntries, maxBytes, sizeOf, orgOf });
  const changes = createChanges({ memory: maxAge, now }); // older ones concern nothing that is fresh
  const reload = createReload<K, V>({
    count: () => changes.count(),
    isOutdated: (key, before) => isOutdated(key, undefined, before),
    async load(key, loaded, before) {
      const freshUntil = now() + maxAge;
      const value = await load(key, loaded ?? entries.peek(key)?.value);
      entries.keep(key, { value, freshUntil, changes: before });
      return value;
    },
  });
  const unheard = () => (hears() ? 0 : Math.max(0, maxAge - UNHEARD_AGE_MS));
  let [hits, misses, stale] = [0, 0, 0];

  return {
    get(key) {
      const entry = entries.get(key);
      const isFresh =
        entry !== undefined && now() < entry.freshUntil - unheard() && !isOutdated(key, entry.value, entry.changes);
      if (isFresh) {
        hits++;
        return entry.value;
      }
      const known = entry && outage?.covers(now() + maxAge - entry.freshUntil) ? entry.value : undefined;
      const lookUp = () => {
        misses++;
        return reload(key);
      };
      return known === undefined || !outage ? lookUp() : outage.bridge(lookUp, { value: known, onUse: () => stale++ });
    },
    expire(orgId) {
      changes.note(orgId);
    },
    async refresh(orgId) {
      for (const key of entries.lastOf(orgId, MAX_REFRESHED)) {
        const entry = entries.peek(key);
        if (entry && isOutdated(key, entry.value, entry.changes)) await reload(key);
      }
    },
    orgs: () => entries.orgs(),
    stats: () => ({ hits, misses, stale, ...entries.measure() }),
  };

  function isOutdated(key: K, value: V | undefined, before: number): boolean {
    return changes.hasChanged(orgOf(key, value), before);
  }
}
