import { describeFinding } from "../discovery/analysis/analyse.js";
import { comparePolicies, type ComparedFindings } from "../discovery/analysis/compare.js";
import { runInSlices } from "../pace/slices.js";
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

/** What an import adds to the findings about the rules of an org, and removes from them. Call it before it writes. */
export async function compareImport(
  db: Db,
  plan: OrgPlan,
  state: OrgState | undefined,
): Promise<Steps<ComparedFindings>> {
  const isRouted = ROUTED_KINDS.some((kind) => plan.written[kind].length + plan.removed[kind].length > 0);
  const wasRead = !state || state.rules.length > 0; // they are read when the file has some
  const rules = isRouted && !wasRead ? [...(await readActiveRules(db, plan.org.id))] : (state?.rules ?? []);
  return compare();

  function* compare(): Steps<ComparedFindings> {
    if (!isRouted) return NOTHING;
    const { written, removed } = plan;
    const before = { idps: state?.idps ?? [], zones: state?.zones ?? [] };
    const idps = yield* overlay(before.idps, written.idps, removed.idps);
    const zones = yield* overlay(before.zones, written.zones, removed.zones);
    const after = yield* overlay<Rule>(rules, written.rules, removed.rules);
    const byPriority = (list: readonly Rule[]) => list.toSorted((a, b) => a.priority - b.priority);
    return yield* comparePolicies({ ...before, rules: byPriority(rules) }, { idps, zones, rules: byPriority(after) });
  }
}

/** A line for each finding that an import adds, of each org the first hundred. */
export async function describeFindings({ db }: WriteTransaction, orgs: readonly PlannedOrg[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { plan, state } of orgs) {
    const { value } = await runInSlices(await compareImport(db, plan, state));
    const { added, addedCount } = value;
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
