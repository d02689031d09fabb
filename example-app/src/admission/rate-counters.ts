import type { Count, SharedCounter } from "../store/contract/counter.js";
import { createRateWindows, type RateWindow, type RateWindows } from "./rate-windows.js";

/** The most keys of one kind that are counted at a time. When another comes, the one that counted least is forgotten. */
export const MAX_KEYS = 25_000;

/** A process reports its count of a key to the others at least each time that it grew by this part of the limit. */
const SLICES = 20;

/** Near its limit a count is reported more often: when it grew by this part of what is left. */
const LAST_SLICES = 10;

/** Reports to the database that are under way at a time. A count that finds no place is reported by a later request. */
const MAX_REPORTS = 8;

/** After a failed report the process counts alone for this time. */
const PAUSE_MS = 1_000;

/** What is counted. */
export interface RateKey {
  /** The kind of the key, one of a fixed number. Keys of other kinds take no room from it. */
  readonly kind: string;
  readonly key: string;
  readonly limit: number;
}

export interface RateCounters {
  /** The length of a window, in milliseconds. */
  readonly window: number;
  /** Count a request, and return the count with it. */
  readonly count: (key: RateKey) => Count;
  /** The count without this request. */
  readonly look: (key: RateKey) => Count;
  /** Whether this is the first call for the window of a key. */
  readonly isFirst: (key: RateKey) => boolean;
}

export interface RateCountersOptions {
  /** The length of a window, in seconds. It begins with the first request of a key. */
  window: number;
  /** Adds up the counts of several processes. */
  shared: Pick<SharedCounter, "add"> | undefined;
  /** @default MAX_KEYS */
  maxKeys?: number;
}

/**
 * Count requests by key in windows. Each process counts in its memory, so no request waits for the database. With `shared`
 * a process reports what it counted in slices, and takes over the sum and the end of the window that it gets back: each
 * further process lets at most one slice more pass than the limit.
 */
export function createRateCounters({
  window: seconds,
  shared,
  maxKeys = MAX_KEYS,
}: Readonly<RateCountersOptions>): RateCounters {
  const kinds = new Map<string, RateWindows>();
  const report = shared && createReports(shared);

  return {
    window: seconds * 1_000,

    count(rateKey) {
      const windows = windowsOf(rateKey);
      const window = windows.find(rateKey.key) ?? windows.begin(rateKey.key);
      windows.set(window, window.count + 1);
      const count = countOf(window);
      report?.(rateKey, window, windows);
      return count;
    },

    look(rateKey) {
      const window = windowsOf(rateKey).find(rateKey.key);
      return window ? countOf(window) : { consumedPoints: 0, msBeforeNext: seconds * 1_000 };
    },

    isFirst(rateKey) {
      const window = windowsOf(rateKey).find(rateKey.key);
      if (!window || window.isTold) return !window;
      window.isTold = true;
      return true;
    },
  };

  function windowsOf({ kind }: RateKey): RateWindows {
    let windows = kinds.get(kind);
    if (!windows) {
      windows = createRateWindows(seconds * 1_000, maxKeys);
      kinds.set(kind, windows);
    }
    return windows;
  }
}

type Report = (rateKey: RateKey, window: RateWindow, windows: RateWindows) => void;

/** Counts a request for the other processes too, and reports it when that is due. */
function createReports(shared: Pick<SharedCounter, "add">): Report {
  let reports = 0;
  let pausedUntil = 0;

  return (rateKey, window, windows) => {
    window.unreported++;
    if (isDue(window, rateKey.limit)) void report(rateKey, window, windows);
  };

  function isDue({ unreported, isReporting, count }: RateWindow, limit: number): boolean {
    const left = limit - count;
    if (left < 0 || isReporting || reports >= MAX_REPORTS || performance.now() < pausedUntil) return false;
    return unreported >= Math.min(Math.ceil(limit / SLICES), Math.ceil(left / LAST_SLICES));
  }

  async function report({ kind, key }: RateKey, window: RateWindow, windows: RateWindows): Promise<void> {
    const points = window.unreported;
    window.unreported = 0;
    window.isReporting = true;
    reports++;
    try {
      const rest = countOf(window).msBeforeNext;
      const { consumedPoints, msBeforeNext } = await shared.add(`${kind} ${key}`, points, rest);
      if (windows.find(key) === window && msBeforeNext > 0) {
        windows.set(window, consumedPoints + window.unreported);
        window.end = performance.now() + msBeforeNext;
      }
    } catch {
      window.unreported += points;
      pausedUntil = performance.now() + PAUSE_MS;
    } finally {
      window.isReporting = false;
      reports--;
    }
  }
}

function countOf({ count, end }: RateWindow): Count {
  return { consumedPoints: count, msBeforeNext: Math.max(1, Math.round(end - performance.now())) };
}
