import type { Steps } from "../../pace/steps.js";
import { analyseInSteps, type Finding } from "./analyse.js";
import { compilePolicyInSteps, type PolicyRecords } from "./policy.js";

/** The findings that a comparison lists; the others are only counted. */
export const MAX_LISTED = 100;

export interface ComparedFindings {
  /** The first {@link MAX_LISTED}. */
  readonly added: readonly Finding[];
  readonly addedCount: number;
  readonly removed: readonly Finding[];
  readonly removedCount: number;
}

/** What a finding costs, see {@link Steps}. */
const FINDING_COST = 2;

/** The findings that a change adds and removes. One whose rules only have other names or places is the same. */
export function* compareFindings(before: readonly Finding[], after: readonly Finding[]): Steps<ComparedFindings> {
  const [old, present] = [yield* keysOf(before), yield* keysOf(after)];
  const added = after.filter((_, index) => !old.includes(present.list[index]));
  const removed = before.filter((_, index) => !present.includes(old.list[index]));
  return {
    added: added.slice(0, MAX_LISTED),
    addedCount: added.length,
    removed: removed.slice(0, MAX_LISTED),
    removedCount: removed.length,
  };
}

function* keysOf(findings: readonly Finding[]) {
  const list: string[] = [];
  for (const { type, rule, by } of findings) {
    list.push(`${type} ${rule.id} ${by?.id ?? ""}`);
    yield FINDING_COST;
  }
  const set = new Set<string | undefined>(list);
  return { list, includes: (key: string | undefined) => set.has(key) };
}

/** The findings that a change of all records adds and removes. */
export function* comparePolicies(before: PolicyRecords, after: PolicyRecords): Steps<ComparedFindings> {
  const old = yield* analyseInSteps(yield* compilePolicyInSteps(before));
  return yield* compareFindings(old, yield* analyseInSteps(yield* compilePolicyInSteps(after)));
}
