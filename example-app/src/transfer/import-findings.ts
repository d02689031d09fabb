import { setImmediate } from "node:timers/promises";
import { analyseInSteps, describeFinding } from "../discovery/analysis/analyse.js";
import { compareFindings, type ComparedFindings } from "../discovery/analysis/compare.js";
import { compilePolicyInSteps, type AnalysedPolicy, type PolicyRecords } from "../discovery/analysis/policy.js";
import { compareSamples, sampleRules, type ComparedSample } from "../discovery/analysis/rule-samples.js";
import { compileRoutingInSteps } from "../discovery/compile-routing.js";
import { compileRecordsInSteps } from "../discovery/records.js";
import { createStepsRunner, type NextTurn } from "../pace/slices.js";
import type { Steps } from "../pace/steps.js";
import type { Rule } from "../model/records.js";
import { readActiveRules } from "../store/records/routing-data.js";
import type { Db } from "../store/contract/schema.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import type { PlannedOrg } from "./change-lines.js";
import type { OrgPlan, OrgState } from "./plan.js";

/** The kinds on which findings depend. */
const ROUTED_KINDS = ["idps", "zones", "rules"] as const;

const NOTHING: ComparedFindings = { added: [], addedCount: 0, removed: [], removedCount: 0 };

/** What an import does to routing. */
export interface ComparedImport {
  readonly findings: ComparedFindings;
  /** A login of each rule; none if nobody asked for them, or if nothing of routing changes. */
  readonly samples: readonly ComparedSample[];
}

export interface CompareOptions {
  readonly nextTurn?: NextTurn | undefined;
  readonly wantsSamples: boolean;
}

/** What an import does to the rules of an org. Call it before it writes. */
export async function compareImport(
  db: Db,
  plan: OrgPlan,
  state: OrgState | undefined,
  { nextTurn = setImmediate, wantsSamples }: CompareOptions,
): Promise<ComparedImport> {
  const { written, removed } = plan;
  const isRouted = ROUTED_KINDS.some((kind) => written[kind].length + removed[kind].length > 0);
  if (!isRouted) return { findings: NOTHING, samples: [] };
  const wasRead = !state || state.rules.length > 0; // they are read when the file has some
  const rules = wasRead ? (state?.rules ?? []) : [...(await readActiveRules(db, plan.org.id))];
  const run = createStepsRunner(nextTurn);
  const stored = { idps: state?.idps ?? [], zones: state?.zones ?? [] };
  const before: PolicyRecords = { ...stored, rules: byPriority(rules) };
  const after: PolicyRecords = {
    idps: await run(overlay(stored.idps, written.idps, removed.idps)),
    zones: await run(overlay(stored.zones, written.zones, removed.zones)),
    rules: byPriority(await run(overlay<Rule>(rules, written.rules, removed.rules))),
  };
  const [old, future] = [await run(compilePolicyInSteps(before)), await run(compilePolicyInSteps(after))];
  const found = [await run(analyseInSteps(old)), await run(analyseInSteps(future))] as const;
  const findings = await run(compareFindings(...found));
  if (!wantsSamples) return { findings, samples: [] };
  const samples = await run(sampleBoth(old, future));
  return { findings, samples: await compareSamples(samples, await route(before), await route(after), nextTurn) };

  async function route({ rules, ...records }: PolicyRecords) {
    return run(compileRoutingInSteps({ rules, records: await run(compileRecordsInSteps(records)) }, run));
  }
}

/** Of the rules as they are, and of the new ones. */
function* sampleBoth(old: AnalysedPolicy, future: AnalysedPolicy) {
  const known = new Set(old.rules.map(({ id }) => id));
  const added = future.rules.filter(({ id }) => !known.has(id));
  return [...(yield* sampleRules(old, old.rules)), ...(yield* sampleRules(future, added))];
}

function byPriority(rules: readonly Rule[]): Rule[] {
  return rules.toSorted((a, b) => a.priority - b.priority);
}

/** A line for each finding that an import adds, of each org the first hundred. */
export async function describeFindings({ db }: WriteTransaction, orgs: readonly PlannedOrg[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { plan, state } of orgs) {
    const { added, addedCount } = (await compareImport(db, plan, state, { wantsSamples: false })).findings;
    lines.push(...added.map((finding) => `${plan.org.subdomain}: ${finding.type}: ${describeFinding(finding)}`));
    if (addedCount > added.length) lines.push(`${plan.org.subdomain}: and ${addedCount - added.length} more findings`);
  }
  return lines;
}

function* overlay<R extends { id: string }>(
  before: readonly R[],
  written: readonly R[],
  removed: readonly R[],
): Steps<R[]> {
  const records = new Map<string, R>();
  for (const record of [...before, ...written]) {
    records.set(record.id, record);
    yield 1;
  }
  for (const { id } of removed) records.delete(id);
  return [...records.values()];
}
