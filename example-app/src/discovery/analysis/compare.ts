import { JoinedSteps, type Steps } from "../../pace/steps.js";
import type { Finding } from "./analyse.js";

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
  const added = yield* listMissing(after, old);
  const removed = yield* listMissing(before, present);
  return { added: added.listed, addedCount: added.count, removed: removed.listed, removedCount: removed.count };
}

function* keysOf(findings: readonly Finding[]): Steps<Set<string>> {
  const keys = new Set<string>();
  const joined = new JoinedSteps();
  for (const finding of findings) {
    keys.add(keyOf(finding));
    if (joined.add(FINDING_COST)) yield joined.take();
  }
  return keys;
}

/** The first of the findings that are not among others, and how many these are. */
function* listMissing(findings: readonly Finding[], others: ReadonlySet<string>) {
  const listed: Finding[] = [];
  let count = 0;
  const joined = new JoinedSteps();
  for (const finding of findings) {
    if (joined.add(FINDING_COST)) yield joined.take();
    if (others.has(keyOf(finding))) continue;
    if (++count <= MAX_LISTED) listed.push(finding);
  }
  return { listed, count };
}

function keyOf({ type, rule, by }: Finding): string {
  return `${type} ${rule.id} ${by?.id ?? ""}`;
}
