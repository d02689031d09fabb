import type { IdentifierPattern } from "../../model/rule-shapes.js";
import { JoinedSteps, type Steps } from "../../pace/steps.js";
import {
  createIdentifierIndexBuilder,
  type IdentifierIndex,
  type IdentifierIndexBuilder,
} from "../identifier-index.js";
import { isWeaker } from "./conditions.js";
import type { AnalysedRule } from "./policy.js";

/** A rule, and the pattern of it by which it was found; `undefined` for a rule for everyone. */
export interface Place {
  readonly rule: AnalysedRule;
  readonly pattern: IdentifierPattern | undefined;
}

/** The rules of one pattern, or those for everyone. */
export type Bucket = Place[];

/** Rules with different conditions that a bucket keeps. */
export const MAX_CONDITIONS = 32;

/** Buckets that one pattern is compared with. */
const MAX_FOUND = 1_000;

/** Buckets that are looked at in a microsecond. */
const FOUND_PER_COST = 20;

/** What a pattern costs that is looked up, for each of its characters and beside them, see {@link Steps}; and one that is added. */
const CHARACTER_COST = 0.15;
const PATTERN_COST = 1;
const ADDED_COST = 3;

/** Keeps a rule, unless an earlier one in the bucket holds wherever this one does. */
export function keep(bucket: Bucket, place: Place): void {
  const { conditions } = place.rule;
  if (bucket.length > MAX_CONDITIONS || (bucket.length === MAX_CONDITIONS && conditions.key !== "")) return;
  if (!bucket.some(({ rule }) => isWeaker(rule.conditions, conditions))) bucket.push(place);
}

/** The buckets of the patterns of rules. Which patterns cover others is known from the beginning; the buckets are filled later. */
export interface PatternBuckets {
  readonly everyone: Bucket;
  /** The buckets of all patterns that match whatever this one matches, and its own; the most are {@link MAX_FOUND}. */
  findCovering(attribute: string | undefined, pattern: IdentifierPattern): readonly Bucket[];
  /** The bucket of a pattern of these rules; `undefined` for an empty one. */
  bucketFor(attribute: string | undefined, pattern: IdentifierPattern): Bucket | undefined;
}

/** What {@link PatternBuckets.findCovering} cost, see {@link Steps}. */
export function costOfCovering({ value }: IdentifierPattern, found: readonly Bucket[]): number {
  return PATTERN_COST + value.length * CHARACTER_COST + found.length / FOUND_PER_COST;
}

export function* createPatternBuckets(rules: readonly AnalysedRule[]): Steps<PatternBuckets> {
  const builders = new Map<string | undefined, IdentifierIndexBuilder<Bucket>>();
  const joined = new JoinedSteps();
  for (const { attribute, patterns, never } of rules) {
    if (joined.add(1)) yield joined.take();
    if (never !== undefined) continue;
    let builder = builders.get(attribute);
    if (!builder) builders.set(attribute, (builder = createIdentifierIndexBuilder<Bucket>(() => [])));
    for (const pattern of patterns) {
      builder.bucketFor(pattern);
      if (joined.add(ADDED_COST)) yield joined.take();
    }
  }
  const indexes = new Map<string | undefined, IdentifierIndex<Bucket>>();
  for (const [attribute, builder] of builders) indexes.set(attribute, yield* builder.build());

  let last: { pattern: IdentifierPattern; found: readonly Bucket[] } | undefined; // asked for twice in a row
  return {
    everyone: [],
    findCovering(attribute, pattern) {
      if (last?.pattern === pattern) return last.found;
      const found: Bucket[] = [];
      if (pattern.value !== "") indexes.get(attribute)?.findCovering(pattern, found);
      last = { pattern, found: found.length > MAX_FOUND ? found.slice(0, MAX_FOUND) : found };
      return last.found;
    },
    bucketFor: (attribute, pattern) => builders.get(attribute)?.bucketFor(pattern),
  };
}
