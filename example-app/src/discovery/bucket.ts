/**
 * The rules that one key of the index leads to, as places in the order of priority. The first rule without further
 * conditions always matches, so rules behind it are left out.
 */
export interface Bucket {
  /** The first rule without further conditions, or `Infinity`. */
  unconditional: number;
  /** The rules before it that have further conditions, ascending. */
  conditional: readonly number[];
}

/** Shared by all buckets without conditional rules: most buckets of a large policy. */
const NONE: readonly number[] = [];

export function createBucket(): Bucket {
  return { unconditional: Infinity, conditional: NONE };
}

/** Add a rule. Add rules in ascending order; adding the same rule twice has no effect. */
export function addToBucket(bucket: Bucket, rule: number, conditional: boolean): void {
  if (rule >= bucket.unconditional) return;
  if (!conditional) bucket.unconditional = rule;
  else if (bucket.conditional === NONE) bucket.conditional = [rule];
  else if (bucket.conditional.at(-1) !== rule) (bucket.conditional as number[]).push(rule);
}

/** The union of `buckets`. Copies nothing unless two of them have conditional rules. */
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
