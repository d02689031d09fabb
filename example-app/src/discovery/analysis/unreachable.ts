import type { Steps } from "../../pace/steps.js";
import { isWeaker } from "./conditions.js";
import { createPatternBuckets, keep, type Bucket, type PatternBuckets } from "./pattern-buckets.js";
import type { AnalysedRule } from "./policy.js";

/** The rules that take everything from others, by these; at least one each, the first of them first. */
export type Shadows = ReadonlyMap<AnalysedRule, readonly AnalysedRule[]>;

interface SearchOptions {
  /**
   * The ones to look for.
   *
   * @default all
   */
  readonly subjects?: ReadonlySet<AnalysedRule>;
  /** Called with each rule that can be reached; the buckets have the rules before it. */
  readonly visit?: (rule: AnalysedRule, buckets: PatternBuckets) => Steps<void>;
}

/**
 * Finds rules that can't be reached: each of their patterns is covered by a pattern of an earlier rule whose other
 * conditions hold wherever theirs do. It names no rule that can be reached. It misses rules that only several others with
 * different conditions cover together.
 *
 * @param rules in order
 */
export function* findUnreachable(
  rules: readonly AnalysedRule[],
  { subjects, visit }: SearchOptions = {},
): Steps<Shadows> {
  const shadows = new Map<AnalysedRule, readonly AnalysedRule[]>();
  const buckets = yield* createPatternBuckets(rules);
  for (const rule of rules) {
    if (rule.never !== undefined) continue;
    const coverers = !subjects || subjects.has(rule) ? yield* findCoverers(buckets, rule) : undefined;
    if (coverers) {
      shadows.set(rule, coverers);
      continue; // whatever it takes is taken by them
    }
    if (visit) yield* visit(rule, buckets);
    yield* addRule(buckets, rule);
  }
  return shadows;
}

/** The rules after `by` from which it takes logins: all of one pattern, or of a rule without patterns. */
export function* findTouched(rules: readonly AnalysedRule[], by: AnalysedRule): Steps<Set<AnalysedRule>> {
  const touched = new Set<AnalysedRule>();
  if (by.never !== undefined) return touched;
  const buckets = yield* createPatternBuckets([by]);
  yield* addRule(buckets, by);
  for (const rule of rules.slice(rules.indexOf(by) + 1)) {
    yield 1;
    if (rule.never !== undefined || !isWeaker(by.conditions, rule.conditions)) continue;
    if (buckets.everyone.length > 0) touched.add(rule);
    for (const pattern of by.attribute === rule.attribute ? rule.patterns : []) {
      if ((yield* buckets.findCovering(rule.attribute, pattern)).length === 0) continue;
      touched.add(rule);
      break;
    }
  }
  return touched;
}

function* addRule(buckets: PatternBuckets, rule: AnalysedRule): Steps<void> {
  if (rule.patterns.length === 0) keep(buckets.everyone, { rule, pattern: undefined });
  for (const pattern of rule.patterns) {
    const bucket = buckets.bucketFor(rule.attribute, pattern);
    if (bucket) keep(bucket, { rule, pattern });
    yield 1;
  }
}

function* findCoverers(buckets: PatternBuckets, rule: AnalysedRule): Steps<AnalysedRule[] | undefined> {
  const known = new Map<AnalysedRule, boolean>();
  const everyone = findFirst([buckets.everyone]);
  if (everyone) return [everyone];
  if (rule.patterns.length === 0) return undefined;
  const coverers = new Set<AnalysedRule>();
  for (const pattern of rule.patterns) {
    if (pattern.value === "") continue;
    const coverer = findFirst(yield* buckets.findCovering(rule.attribute, pattern));
    if (!coverer) return undefined;
    coverers.add(coverer);
  }
  return [...coverers].sort((a, b) => a.priority - b.priority);

  function findFirst(found: readonly Bucket[]): AnalysedRule | undefined {
    let first: AnalysedRule | undefined;
    for (const bucket of found) {
      const place = bucket.find(({ rule: other }) => holdsWherever(other));
      if (place && (!first || place.rule.priority < first.priority)) first = place.rule;
    }
    return first;
  }

  function holdsWherever(other: AnalysedRule): boolean {
    let holds = known.get(other);
    if (holds === undefined) known.set(other, (holds = isWeaker(other.conditions, rule.conditions)));
    return holds;
  }
}
