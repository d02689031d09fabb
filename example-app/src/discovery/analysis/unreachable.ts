import { JoinedSteps, type Steps } from "../../pace/steps.js";
import { isWeaker, type Conditions } from "./conditions.js";
import {
  costOfCovering,
  createPatternBuckets,
  keep,
  type Bucket,
  type PatternBuckets,
  type Place,
} from "./pattern-buckets.js";
import type { AnalysedRule } from "./policy.js";

/** The rules that take everything from others, by these; at least one each, the first of them first. */
export type Shadows = ReadonlyMap<AnalysedRule, readonly AnalysedRule[]>;

/** What a pattern costs that is put into its bucket, see {@link Steps}. */
const KEPT_COST = 0.5;

/**
 * Finds rules that can't be reached: each of their patterns is covered by a pattern of an earlier rule whose other
 * conditions hold wherever theirs do. It names no rule that can be reached. It misses rules that only several others with
 * different conditions cover together.
 *
 * @param rules in order
 * @param visit called with each rule that can be reached; the buckets have the rules before it
 */
export function* findUnreachable(
  rules: readonly AnalysedRule[],
  visit: (rule: AnalysedRule, buckets: PatternBuckets, joined: JoinedSteps) => Steps<void>,
): Steps<Shadows> {
  const shadows = new Map<AnalysedRule, readonly AnalysedRule[]>();
  const buckets = yield* createPatternBuckets(rules);
  const joined = new JoinedSteps();
  for (const rule of rules) {
    if (joined.add(1)) yield joined.take();
    if (rule.never !== undefined) continue;
    const coverers = yield* findCoverers(rule, [buckets], joined);
    if (coverers) {
      shadows.set(rule, coverers);
      continue; // whatever it takes is taken by them
    }
    yield* visit(rule, buckets, joined);
    yield* addRule(buckets, rule, joined);
  }
  return shadows;
}

/** The rules after `by` from which it takes logins: all of one pattern, or of a rule without patterns. */
export function* findTouched(
  rules: readonly AnalysedRule[],
  by: AnalysedRule,
  buckets: PatternBuckets,
): Steps<Set<AnalysedRule>> {
  const touched = new Set<AnalysedRule>();
  if (by.never !== undefined) return touched;
  const joined = new JoinedSteps();
  for (const rule of rules.slice(rules.indexOf(by) + 1)) {
    if (joined.add(1)) yield joined.take();
    if (rule.never !== undefined || !isWeaker(by.conditions, rule.conditions)) continue;
    if (buckets.everyone.length > 0) touched.add(rule);
    for (const pattern of by.attribute === rule.attribute ? rule.patterns : []) {
      const found = buckets.findCovering(rule.attribute, pattern);
      if (joined.add(costOfCovering(pattern, found))) yield joined.take();
      if (found.length === 0) continue;
      touched.add(rule);
      break;
    }
  }
  return touched;
}

/** The buckets of one rule, which is in them. */
export function* createBucketsOf(rule: AnalysedRule | undefined): Steps<PatternBuckets> {
  const buckets = yield* createPatternBuckets(rule ? [rule] : []);
  if (rule && rule.never === undefined) yield* addRule(buckets, rule, new JoinedSteps());
  return buckets;
}

export function* addRule(buckets: PatternBuckets, rule: AnalysedRule, joined: JoinedSteps): Steps<void> {
  if (rule.patterns.length === 0) keep(buckets.everyone, { rule, pattern: undefined });
  for (const pattern of rule.patterns) {
    const bucket = buckets.bucketFor(rule.attribute, pattern);
    if (bucket) keep(bucket, { rule, pattern });
    if (joined.add(KEPT_COST)) yield joined.take();
  }
}

/** The rules in some buckets that take everything from this one together, the first of them first; `undefined` for none. */
export function* findCoverers(
  rule: AnalysedRule,
  all: readonly PatternBuckets[],
  joined: JoinedSteps,
): Steps<readonly AnalysedRule[] | undefined> {
  const holds = createTest(rule.conditions);
  let everyone: AnalysedRule | undefined;
  for (const buckets of all) everyone = firstOf(everyone, findFirst([buckets.everyone], holds));
  if (everyone) return [everyone];
  if (rule.patterns.length === 0) return undefined;
  const coverers = new Set<AnalysedRule>();
  for (const pattern of rule.patterns) {
    if (pattern.value === "") continue;
    let coverer: AnalysedRule | undefined;
    for (const buckets of all) {
      const found = buckets.findCovering(rule.attribute, pattern);
      if (joined.add(costOfCovering(pattern, found))) yield joined.take();
      coverer = firstOf(coverer, findFirst(found, holds));
    }
    if (!coverer) return undefined;
    coverers.add(coverer);
  }
  return [...coverers].sort((a, b) => a.priority - b.priority);
}

/** A function that says whether the conditions of another rule hold wherever `narrow` do. */
function createTest(narrow: Conditions): (place: Place) => boolean {
  let known: Map<Conditions, boolean> | undefined;
  return ({ rule: { conditions: wide } }) => {
    if (wide.key === "" || wide.key === narrow.key) return true;
    known ??= new Map();
    let holds = known.get(wide);
    if (holds === undefined) known.set(wide, (holds = isWeaker(wide, narrow)));
    return holds;
  };
}

function findFirst(found: readonly Bucket[], holds: (place: Place) => boolean): AnalysedRule | undefined {
  let first: AnalysedRule | undefined;
  for (const bucket of found) {
    if (bucket.length > 0) first = firstOf(first, bucket.find(holds)?.rule);
  }
  return first;
}

function firstOf(one: AnalysedRule | undefined, other: AnalysedRule | undefined): AnalysedRule | undefined {
  if (!one || !other) return one ?? other;
  return other.priority < one.priority ? other : one;
}
