import { send, withQuery } from "../../api/http.js";
import type { ListedRevision, Rule } from "../../api/types.js";
import { nameSamples } from "../../parts/samples.js";
import type { Allowance } from "../../parts/use-allowed-write.js";
import { exportFile, importText } from "../transfer/requests.js";
import { moveTogether, planMoves } from "./plan-moves.js";
import { moveRule, switchRule, type Preview } from "./requests.js";

/** What is done to several rules at once: all of them are switched, or moved to a place. */
export type BulkChange = { readonly status: Rule["status"] } | { readonly place: number };

/** So many rules are changed at once: one request brings back as many. */
export const MAX_BULK = 200;

/** One request for a rule. */
export interface Step {
  readonly rule: Rule;
  readonly run: (policyId: string, allowed: Allowance) => Promise<void>;
}

/** What is to be done: nothing for a rule that is so already. */
export function planSteps(rules: readonly Rule[], chosen: ReadonlySet<string>, change: BulkChange): Step[] {
  if ("place" in change) {
    return planMoves(rules, chosen, change.place).map(({ rule, to }) => ({
      rule,
      run: (policyId, allowed) => moveRule(policyId, rule, to, allowed),
    }));
  }
  return rules
    .filter(({ id, status }) => chosen.has(id) && status !== change.status)
    .map((rule) => ({ rule, run: (policyId, allowed) => switchRule(policyId, rule, allowed) }));
}

interface FileRule {
  readonly name: string;
  readonly status?: Rule["status"];
}

interface File {
  readonly orgs: readonly { readonly subdomain: string; readonly rules?: readonly FileRule[] }[];
}

/** What all of it would do to a login of each rule: the rehearsal of an import of the rules as they would be. */
export async function previewBulk(
  rules: readonly Rule[],
  chosen: ReadonlySet<string>,
  change: BulkChange,
): Promise<Preview> {
  const { signal } = new AbortController();
  const names = new Set(rules.filter(({ id }) => chosen.has(id)).map(({ name }) => name));
  const isChosen = ({ name }: FileRule) => names.has(name);
  const file = JSON.parse(await (await exportFile(false, signal)).content.text()) as File;
  const orgs = file.orgs.map(({ subdomain, rules: stored = [] }) => ({
    subdomain,
    rules:
      "place" in change
        ? moveTogether(stored, isChosen, change.place)
        : stored.map((rule) => (isChosen(rule) ? { ...rule, status: change.status } : rule)),
  }));
  const result = await importText({ text: JSON.stringify({ orgs }), mayFailTests: true }, true, signal);
  return { tried: [], samples: nameSamples(result.samples), findings: result.findings.added };
}

/** The newest changes of the org, at most as many as are made at once and one more. */
export async function readRevisions(policyId: string, limit: number): Promise<ListedRevision[]> {
  return (await send<ListedRevision[]>(withQuery(`/api/v1/policies/${policyId}/revisions`, { limit }))).data;
}
