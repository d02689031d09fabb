/**
 * The rules that one key of the index leads to, by their place in the order of priority. Nothing behind the first rule
 * without further conditions can be reached, so nothing behind it is kept.
 */
export interface Bucket {
  /** The first rule that holds without a further condition, `Infinity` when there is none. */
  unconditional: number;
  /** Those before it that have further conditions, ascending. */
  conditional: readonly number[];
}

/** Shared by all buckets without conditional rules, which is nearly all of a large policy. */
const NONE: readonly number[] = [];

export function createBucket(): Bucket {
  return { unconditional: Infinity, conditional: NONE };
}

/** Add a rule; rules come in ascending order, a rule twice counts once. */
export function addToBucket(bucket: Bucket, rule: number, conditional: boolean): void {
  if (rule >= bucket.unconditional) return;
  if (!conditional) bucket.unconditional = rule;
  else if (bucket.conditional === NONE) bucket.conditional = [rule];
  else if (bucket.conditional.at(-1) !== rule) (bucket.conditional as number[]).push(rule);
}

/** One bucket that is the union of `buckets`. Copies nothing unless two of them have conditional rules. */
export function mergeBuckets(buckets: readonly Bucket[]): Bucket {
  let unconditional = Infinity;
  let conditional = NONE;
  let several = false;
  for (const bucket of buckets) {
    if (bucket.unconditional < unconditional) unconditional = bucket.unconditional;
    if (bucket.conditional.length === 0) continue;
    several ||= conditional !== NONE;
    conditional = bucket.conditional;
  }
  if (several) {
    const rules = new Set(buckets.flatMap((bucket) => bucket.conditional));
    conditional = [...rules].sort((a, b) => a - b);
  }
  return { unconditional, conditional };
}
