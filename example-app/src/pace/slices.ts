import { setImmediate } from "node:timers/promises";
import type { Steps, StepsRunner } from "./steps.js";

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

/** Turns for the work of an org. */
export type Turns = (orgId: string) => NextTurn;

/**
 * Give everybody who asks a turn of the event loop for itself, so that much work takes no longer slices than little. Orgs
 * take turns, so that one with much work does not delay the others; the work of an org takes turns too.
 */
export function createTurns(): Turns {
  const waiting = new Map<string, (() => void)[]>(); // the org whose turn is next comes first

  return (orgId) => () =>
    new Promise<void>((resolve) => {
      const isIdle = waiting.size === 0;
      const queue = waiting.get(orgId);
      if (queue) queue.push(resolve);
      else waiting.set(orgId, [resolve]);
      if (isIdle) void giveTurns();
    });

  async function giveTurns(): Promise<void> {
    while (waiting.size > 0) {
      await setImmediate();
      const [[orgId, queue] = ["", []]] = waiting;
      waiting.delete(orgId);
      queue.shift()?.();
      if (queue.length > 0) waiting.set(orgId, queue); // behind the others
    }
  }
}

/** A function that does work in slices, beginning in another turn. */
export function createStepsRunner(nextTurn: NextTurn): StepsRunner {
  return async (steps) => {
    await nextTurn();
    return (await runInSlices(steps, nextTurn)).value;
  };
}
