/**
 * Work that can pause between its steps, so that a large org doesn't hold up the others. Each step yields its cost,
 * which is about its time in microseconds.
 */
export type Steps<T> = Generator<number, T, void>;

/** What steps cost at least together: to yield takes longer than the shortest ones. */
const LEAST_COST = 50;

/** Joins steps that are too short for a pause each: `if (joined.add(cost)) yield joined.take();`. */
export class JoinedSteps {
  #cost = 0;

  /** @returns whether they cost enough for a pause */
  add(cost: number): boolean {
    this.#cost += cost;
    return this.#cost >= LEAST_COST;
  }

  /** What they cost since the last call. */
  take(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }
}

/** Take all steps without a pause. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Takes the steps with pauses between them. */
export type StepsRunner = <T>(steps: Steps<T>) => Promise<T>;

/** What work may cost before it pauses: about a millisecond, as much as other requests take. */
const FIRST_COST = 1_000;

/** Take the first steps at once, and leave the others to `run`: most lookups are done before. */
export function runFirst<T>(steps: Steps<T>, run: StepsRunner): T | Promise<T> {
  for (let cost = 0; ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    cost += step.value;
    if (cost >= FIRST_COST) return run(steps);
  }
}
