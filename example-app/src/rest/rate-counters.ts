import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Count, SharedCounter } from "../store/shared-counter.js";

/** The most keys that are counted at a time. When another comes, the count that began first is forgotten. */
export const MAX_KEYS = 50_000;

/** A process reports its count of a key to the others at least each time that it grew by this part of the limit. */
const SLICES = 20;

/** Near its limit a count is reported more often: when it grew by this part of what is left. */
const LAST_SLICES = 10;

/** Reports to the database that are under way at a time. A count that finds no place is reported by a later request. */
const MAX_REPORTS = 8;

/** After a failed report the process counts alone for this time. */
const PAUSE_MS = 1_000;

export interface RateCounters {
  /** Count a request for `key`, and return the count with it. */
  readonly count: (key: string, limit: number) => Promise<Count>;
}

export interface RateCountersOptions {
  /** The length of a window, in seconds. It begins with the first request of a key. */
  window: number;
  /** Adds up the counts of several processes. */
  shared: Pick<SharedCounter, "add"> | undefined;
  /** @default MAX_KEYS */
  maxKeys?: number;
}

/** What a process knows of a key beside its count. */
interface KeyState {
  /** How many requests the other processes don't know of. */
  unreported: number;
  isReporting: boolean;
}

/**
 * Count requests by key in windows. Each process counts in its memory, so no request waits for the database. With `shared`
 * a process reports what it counted in slices, and takes over the sum and the end of the window that it gets back: each
 * further process lets at most one slice more pass than the limit.
 */
export function createRateCounters({
  window,
  shared,
  maxKeys = MAX_KEYS,
}: Readonly<RateCountersOptions>): RateCounters {
  const memory = new RateLimiterMemory({ points: 0, duration: window, keyPrefix: "" }); // the callers know the limits
  const states = new Map<string, KeyState>(); // the key whose window began first comes first
  const oldest = states.keys(); // one iterator: each new one would skip all that was deleted
  let reports = 0;
  let pausedUntil = 0;

  return {
    async count(key, limit) {
      const count = await memory.penalty(key);
      const state = count.isFirstInDuration ? begin(key) : states.get(key);
      if (state && shared) {
        state.unreported++;
        if (isDue(state, limit, count)) void report(shared, key, state, count.msBeforeNext);
      }
      return count;
    },
  };

  function begin(key: string): KeyState {
    const state = { unreported: 0, isReporting: false };
    states.delete(key); // inserted again as the youngest
    states.set(key, state);
    if (states.size > maxKeys) {
      const forgotten = String(oldest.next().value);
      states.delete(forgotten);
      void memory.delete(forgotten);
    }
    return state;
  }

  function isDue({ unreported, isReporting }: KeyState, limit: number, { consumedPoints }: Count): boolean {
    const left = limit - consumedPoints;
    if (left < 0 || isReporting || reports >= MAX_REPORTS || performance.now() < pausedUntil) return false;
    return unreported >= Math.min(Math.ceil(limit / SLICES), Math.ceil(left / LAST_SLICES));
  }

  async function report(
    counter: Pick<SharedCounter, "add">,
    key: string,
    state: KeyState,
    duration: number,
  ): Promise<void> {
    const points = state.unreported;
    state.unreported = 0;
    state.isReporting = true;
    reports++;
    try {
      const { consumedPoints, msBeforeNext } = await counter.add(key, points, duration);
      const isCurrent = states.get(key) === state && msBeforeNext > 0;
      if (isCurrent) await memory.set(key, consumedPoints + state.unreported, msBeforeNext / 1000);
    } catch {
      state.unreported += points;
      pausedUntil = performance.now() + PAUSE_MS;
    } finally {
      state.isReporting = false;
      reports--;
    }
  }
}
