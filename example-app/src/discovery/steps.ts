/**
 * Work that can pause between its steps, so that a large org doesn't hold up the others. Each step yields its cost,
 * which is about its time in microseconds.
 */
export type Steps<T> = Generator<number, T, void>;

/** Take all steps without a pause. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
