import { setImmediate } from "node:timers/promises";
import type { Steps } from "../discovery/steps.js";

/** What one turn of the event loop may cost: about four milliseconds, less than twenty on a slow machine. */
export const SLICE_COST = 4_000;

/** Waits for another turn of the event loop, so that other requests can go on. */
export type NextTurn = () => Promise<unknown>;

export interface Sliced<T> {
  readonly value: T;
  /** The turns of the event loop that the work took. */
  readonly slices: number;
  /** The cost of the longest of them, less than {@link SLICE_COST} and the last of its steps together. */
  readonly longest: number;
}

/** Do the work in slices, each in a turn of its own. */
export async function runInSlices<T>(steps: Steps<T>, nextTurn: NextTurn = setImmediate): Promise<Sliced<T>> {
  let slices = 1;
  let longest = 0;
  let cost = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, slices, longest: Math.max(longest, cost) };
    cost += step.value;
    if (cost < SLICE_COST) continue;
    longest = Math.max(longest, cost);
    cost = 0;
    slices++;
    await nextTurn();
  }
}

/** A function that gives each of its callers a turn of its own: several orgs take no longer slices than one. */
export function createTurns(): NextTurn {
  let last: Promise<unknown> = Promise.resolve();
  return () => (last = last.then(() => setImmediate()));
}
