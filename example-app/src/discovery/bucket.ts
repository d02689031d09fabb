import type { IdentifierPattern } from "../model/rule-shapes.js";
import { addBit, type Bits } from "./bits.js";
import { foldIdentifier } from "./identifier.js";
import { createIdentifierIndexBuilder } from "./identifier-index.js";

/**
 * The rules that one key of the index leads to. The first rule without further conditions always matches, so rules
 * behind it are left out.
 */
export interface Bucket {
  /** The place of the first rule without further conditions, or `Infinity`. */
  unconditional: number;
  /** The numbers of the conditional rules before it, ascending. */
  conditional: readonly number[];
}

/** Where a rule is in the order of priority. */
export interface RulePlace {
  /** Among all rules. */
  readonly place: number;
  /** Among the rules with further conditions; `undefined` for a rule without. */
  readonly number: number | undefined;
}

/** Shared by all buckets without conditional rules: most buckets of a large policy. */
const NONE: readonly number[] = [];

export function createBucket(): Bucket {
  return { unconditional: Infinity, conditional: NONE };
}

/** Add a rule. Add rules in ascending order; adding the same rule twice has no effect. */
export function addToBucket(bucket: Bucket, { place, number }: RulePlace): void {
  if (place >= bucket.unconditional) return;
  if (number === undefined) bucket.unconditional = place;
  else if (bucket.conditional === NONE) bucket.conditional = [number];
  else if (bucket.conditional.at(-1) !== number) (bucket.conditional as number[]).push(number);
}

/** The place of the first rule without further conditions in some of `buckets`, or `Infinity`. */
export function firstUnconditional(buckets: readonly Bucket[]): number {
  let first = Infinity;
  for (const { unconditional } of buckets) if (unconditional < first) first = unconditional;
  return first;
}

/** Add the conditional rules of all `buckets` to a set. */
export function addConditional(bits: Bits, buckets: readonly Bucket[]): void {
  for (const { conditional } of buckets) for (const number of conditional) addBit(bits, number);
}

/** An index of rules by the patterns of one text. */
export function createBucketsBuilder() {
  const index = createIdentifierIndexBuilder(createBucket);
  return {
    /** Add a rule under one of its patterns. Add rules in ascending order. Empty patterns match nothing and are left out. */
    add({ matchType, value }: Readonly<IdentifierPattern>, rule: RulePlace): void {
      const bucket = index.bucketFor({ matchType, value: foldIdentifier(value) });
      if (bucket) addToBucket(bucket, rule);
    },
    build: () => index.build(),
  };
}
