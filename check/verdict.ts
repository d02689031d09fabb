/** What a check found: nothing, or a finding as one or two sentences. */
export type Verdict = string | undefined;

/** Thrown by a check that can't tell anything about this API; the message says why. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The run took longer than `--time-limit`. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

/** The first finding among `items`; later ones are not tried. */
export async function firstOf<T>(items: Iterable<T>, run: (item: T) => Promise<Verdict>): Promise<Verdict> {
  for (const item of items) {
    const verdict = await run(item);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}
