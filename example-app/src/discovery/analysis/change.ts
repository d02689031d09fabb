import type { Rule } from "../../model/records.js";
import type { Steps } from "../../pace/steps.js";
import type { RuleChange } from "../changed-routing.js";
import type { AnalysedPolicy, AnalysedRule } from "./policy.js";
import { findTouched, findUnreachable, type Shadows } from "./unreachable.js";

/** Rules that are moved by one place in a microsecond. */
const MOVED_PER_COST = 4;

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
  const touched = changed ? yield* findTouched(after.rules, changed) : new Set<AnalysedRule>();
  if (touched.size === 0) return new Map();
  const shadows = yield* findUnreachable(after.rules, { subjects: touched });
  if (shadows.size === 0) return shadows;
  const ids = new Set([...shadows.keys()].map((rule) => rule.id));
  const subjects = new Set(before.rules.filter((rule) => ids.has(rule.id)));
  const earlier = new Set([...(yield* findUnreachable(before.rules, { subjects })).keys()].map((rule) => rule.id));
  return new Map([...shadows].filter(([rule]) => !earlier.has(rule.id)));
}
