import type { Rule } from "../../model/records.js";
import { JoinedSteps, type Steps } from "../../pace/steps.js";
import type { RuleChange } from "../changed-routing.js";
import type { AnalysedPolicy, AnalysedRule } from "./policy.js";
import { createPatternBuckets } from "./pattern-buckets.js";
import { addRule, createBucketsOf, findCoverers, findTouched, type Shadows } from "./unreachable.js";

/** Rules that are moved by one place in a microsecond. */
const MOVED_PER_COST = 4;

/** The most characters of patterns that those of all rules are looked for in. In more of them, most are found. */
const MAX_RELATED_LENGTH = 4_096;

/** What it costs to look for a pattern, and the characters that are compared in a microsecond, see {@link Steps}. */
const RELATED_COST = 0.1;
const COMPARED_PER_COST = 2_000;

/**
 * The policy after a change to one rule; the priorities are the final ones. The default rule, and rules that are not ACTIVE,
 * only move others.
 */
export function* applyChange(policy: AnalysedPolicy, { before, after }: RuleChange): Steps<AnalysedPolicy> {
  if (before?.system === true) return policy;
  const rules: AnalysedRule[] = [];
  const changed = after?.status === "ACTIVE" ? yield* policy.compile(after) : undefined;
  let isAdded = changed === undefined;
  for (const rule of policy.rules) {
    if (rules.length % MOVED_PER_COST === 0) yield 1;
    if (rule.id === before?.id) continue;
    let { priority } = rule;
    if (before && priority > before.priority) priority--;
    if (after && priority >= after.priority) priority++;
    if (changed && !isAdded && priority > changed.priority) {
      rules.push(changed);
      isAdded = true;
    }
    rules.push(priority === rule.priority ? rule : { ...rule, priority });
  }
  if (changed && !isAdded) rules.push(changed);
  return { ...policy, rules };
}

/** The other rules that could be reached before one rule was changed and can't any more. */
export function* findNewlyShadowed(before: AnalysedPolicy, after: AnalysedPolicy, id: Rule["id"]): Steps<Shadows> {
  const changed = after.rules.find((rule) => rule.id === id);
  if (!changed) return new Map();
  const present = yield* createBucketsOf(changed);
  const touched = yield* findTouched(after.rules, changed, present);
  if (touched.size === 0) return new Map();
  const old = before.rules.find((rule) => rule.id === id);
  const earlier = yield* createBucketsOf(old);
  const wereTouched = old ? yield* findTouched(before.rules, old, earlier) : [];
  const known = new Set([...wereTouched].map((rule) => rule.id));

  const others = yield* findRelated(after.rules, touched, changed);
  const buckets = yield* createPatternBuckets(others);
  const shadows = new Map<AnalysedRule, readonly AnalysedRule[]>();
  const joined = new JoinedSteps();
  for (const rule of others) {
    if (joined.add(1)) yield joined.take();
    if (rule.never !== undefined) continue;
    const coverers = touched.has(rule) ? yield* findCoverers(rule, [buckets, present], joined) : undefined;
    if (coverers?.includes(changed)) {
      const all = known.has(rule.id) ? [buckets, earlier] : [buckets];
      if (!(yield* findCoverers(rule, all, joined))) shadows.set(rule, coverers);
    }
    yield* addRule(buckets, rule, joined);
  }
  return shadows;
}

/** The rules but one that may have to do with whether some rules can be reached: the others cover no pattern of these. */
function* findRelated(
  rules: readonly AnalysedRule[],
  subjects: ReadonlySet<AnalysedRule>,
  except: AnalysedRule,
): Steps<AnalysedRule[]> {
  let text = ""; // a pattern that covers another has a part of its text
  for (const { patterns } of subjects) {
    if (text.length > MAX_RELATED_LENGTH) break;
    for (const { value } of patterns) text += `${value}\n`;
  }
  const isShort = text.length <= MAX_RELATED_LENGTH;
  const related: AnalysedRule[] = [];
  const joined = new JoinedSteps();
  for (const rule of rules) {
    const { patterns } = rule;
    if (joined.add(1 + (isShort ? patterns.length * (RELATED_COST + text.length / COMPARED_PER_COST) : 0)))
      yield joined.take();
    if (rule === except) continue;
    if (!isShort || patterns.length === 0 || patterns.some(({ value }) => text.includes(value))) related.push(rule);
  }
  return related;
}
