import { PatchError } from "./patch-error.js";

/** Twice the members that `patch()` allows in a result by default; it takes less than 20 ms. */
export const DEFAULT_MAX_STEPS = 20_000;

/** What a JSON Patch may still do. */
export class Steps {
  #left: number;

  constructor(private readonly max: number) {
    this.#left = max;
  }

  /** Called before the work is done. */
  take(count: number, index: number): void {
    this.#left -= count;
    if (this.#left >= 0) return;
    const cause = `with it the patch takes more than ${this.max} steps; send smaller patches`;
    throw new PatchError("steps", `Operation ${index}: ${cause}.`, index);
  }
}

const SLASH = 47;
const TILDE = 126;

/** How many slashes and tildes a pointer has: what it takes to parse it. */
export function countMarks(pointer: string): number {
  let count = 0;
  for (let index = 0; index < pointer.length; index++) {
    const code = pointer.charCodeAt(index);
    if (code === SLASH || code === TILDE) count++;
  }
  return count;
}
