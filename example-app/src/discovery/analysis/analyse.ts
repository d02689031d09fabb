import { JoinedSteps, type Steps } from "../../pace/steps.js";
import { createOverlapFinder, type Overlap, type Sample } from "./overlaps.js";
import type { AnalysedPolicy, AnalysedRule, NeverReason } from "./policy.js";
import { findStranger } from "./samples.js";
import { findUnreachable } from "./unreachable.js";

export const FINDING_TYPES = ["UNREACHABLE", "NEVER_MATCHES", "OVERLAP", "NO_LABEL_BOUNDARY"] as const;
type FindingType = (typeof FINDING_TYPES)[number];

/** What may be wrong with a rule. */
export interface Finding {
  readonly type: FindingType;
  readonly rule: AnalysedRule;
  /** The rule that takes its logins. */
  readonly by?: AnalysedRule;
  /** The number of rules that take its logins, or of its patterns without a boundary. */
  readonly count?: number;
  /** Of the first of these patterns. */
  readonly patternIndex?: number;
  readonly sample?: Sample;
}

/** What a pattern costs, see {@link Steps}. */
const PATTERN_COST = 2;

/** Findings about the rules of a policy, by priority; two of a rule at most. */
export function* analyseInSteps(policy: AnalysedPolicy): Steps<Finding[]> {
  const overlaps = new Map<AnalysedRule, Overlap>();
  const findOverlap = createOverlapFinder(policy);
  const shadows = yield* findUnreachable(policy.rules, function* visit(rule, buckets, joined) {
    const overlap = yield* findOverlap(rule, buckets, joined);
    if (overlap) overlaps.set(rule, overlap);
  });
  const findings: Finding[] = [];
  const joined = new JoinedSteps();
  for (const rule of policy.rules) {
    if (joined.add(1)) yield joined.take();
    if (rule.never !== undefined) {
      findings.push({ type: "NEVER_MATCHES", rule });
      continue;
    }
    const [by, ...others] = shadows.get(rule) ?? [];
    const overlap = overlaps.get(rule);
    if (by) findings.push({ type: "UNREACHABLE", rule, by, count: others.length + 1 });
    else if (overlap) findings.push({ type: "OVERLAP", rule, ...overlap });
    const unbounded = yield* findUnbounded(rule, joined);
    if (unbounded) findings.push(unbounded);
  }
  return findings;
}

const NEVER: Readonly<Record<NeverReason, string>> = {
  NO_PROVIDER: "It never matches: it leads to no active identity provider.",
  NO_PATTERN: "It never matches: its patterns match no text.",
  NO_ZONE: "It never matches: none of the zones that it includes is active and has gateways.",
  ZONES_EXCLUDED: "It never matches: it excludes all zones that it includes.",
  PLATFORMS_EXCLUDED: "It never matches: it excludes all platforms that it includes.",
};

/** What is wrong, in one sentence. */
export function describeFinding(finding: Finding): string {
  const { type, rule, by, count = 1, sample } = finding;
  const login = JSON.stringify(sample?.login);
  switch (type) {
    case "NEVER_MATCHES":
      return NEVER[rule.never ?? "NO_PATTERN"];
    case "UNREACHABLE":
      return describeShadow(rule, by ?? rule, count - 1);
    case "OVERLAP":
      return `${nameOf(by ?? rule)} comes before ${nameOf(rule)} and leads some of its logins to other providers, such as ${login}.`;
    case "NO_LABEL_BOUNDARY":
      return describeUnbounded(patternOf(finding), login);
  }
}

/** The first pattern without a label boundary. */
export function patternOf({ rule, patternIndex }: Finding): AnalysedRule["patterns"][number] | undefined {
  return patternIndex === undefined ? undefined : rule.patterns[patternIndex];
}

/** `Partner (priority 7) can't be reached: everything that it takes goes to Acme (priority 2).` */
export function describeShadow(rule: AnalysedRule, by: AnalysedRule, others: number): string {
  const more = others === 0 ? "" : ` and ${others} other rule${others === 1 ? "" : "s"}`;
  return `${nameOf(rule)} can't be reached: everything that it takes goes to ${nameOf(by)}${more}.`;
}

function describeUnbounded(pattern: AnalysedRule["patterns"][number] | undefined, login: string): string {
  const { matchType = "SUFFIX", value = "" } = pattern ?? {};
  const text = JSON.stringify(value);
  const remedy =
    matchType === "SUFFIX" && !value.includes("@")
      ? `${JSON.stringify(`@${value}`)} takes no subdomains`
      : "only SUFFIX and EQUALS end where a domain ends";
  return `${matchType} ${text} also takes logins of other domains, such as ${login}; ${remedy}.`;
}

function nameOf({ name, priority }: AnalysedRule): string {
  return `${JSON.stringify(name)} (priority ${priority})`;
}

function* findUnbounded(rule: AnalysedRule, joined: JoinedSteps): Steps<Finding | undefined> {
  if (rule.attribute !== undefined) return undefined;
  let first: { patternIndex: number; login: string } | undefined;
  let count = 0;
  for (const [patternIndex, pattern] of rule.patterns.entries()) {
    if (joined.add(PATTERN_COST)) yield joined.take();
    const login = findStranger(pattern);
    if (login === undefined) continue;
    count++;
    first ??= { patternIndex, login };
  }
  return (
    first && {
      type: "NO_LABEL_BOUNDARY",
      rule,
      count,
      patternIndex: first.patternIndex,
      sample: { login: first.login },
    }
  );
}
