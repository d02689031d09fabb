import { analyseInSteps } from "../../discovery/analysis/analyse.js";
import { compilePolicyInSteps } from "../../discovery/analysis/policy.js";
import { runInSlices } from "../../pace/slices.js";
import { StoreError } from "../../store/contract/errors.js";
import type { Inspection } from "../../store/inspect/inspect.js";
import { findOrgRows } from "../../store/records/queries.js";
import { openStore, type Store } from "../../store/store.js";
import type { Settings } from "../settings/settings.js";
import { ok, warning, type Finding } from "./finding.js";

const CHECK = "rules";

/** The orgs and the rules that are looked at, so that a large database takes seconds. */
const MAX_ORGS = 100;
const MAX_RULES = 100_000;

/** The orgs that are told one by one. */
const MAX_TOLD = 20;

const REMEDY = "GET /api/v1/policies/{id}/findings says which, and why";

type DatabaseSettings = Pick<Settings, "databaseUrl" | "listenUrl" | "dataFolder">;

/** Count the rules that can't be reached, and those that never match. */
export async function checkRules(settings: DatabaseSettings, inspection: Inspection | undefined): Promise<Finding[]> {
  if (!inspection || inspection.isReadOnly || inspection.missing.length > 0 || inspection.refusal !== undefined)
    return [];
  let store: Store | undefined;
  try {
    store = await openStore(settings);
    return await judge(store);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [warning(CHECK, error.message, "see what the check of the database says")];
  } finally {
    await store?.close();
  }
}

async function judge(store: Store): Promise<Finding[]> {
  const faulty: string[] = [];
  let orgs = 0;
  let rules = 0;
  for (const { id, subdomain } of await findOrgRows(store.reader)) {
    if (orgs === MAX_ORGS || rules >= MAX_RULES) break;
    orgs++;
    const data = await store.loadRoutingData(id);
    if (!data) continue;
    const { value: policy } = await runInSlices(compilePolicyInSteps(data));
    rules += policy.rules.length;
    const { value: findings } = await runInSlices(analyseInSteps(policy));
    const [unreachable, never] = ["UNREACHABLE", "NEVER_MATCHES"].map(
      (type) => findings.filter((finding) => finding.type === type).length,
    );
    if (unreachable || never) {
      faulty.push(`${subdomain}: ${unreachable} rules can't be reached, ${never} never match`);
    }
  }
  if (faulty.length === 0) return [ok(CHECK, `${rules} active ones in ${orgs} orgs, and all can match`)];
  const told = faulty.slice(0, MAX_TOLD).map((text) => warning(CHECK, text, REMEDY));
  const more = faulty.length - told.length;
  return more > 0 ? [...told, warning(CHECK, `${more} more orgs have such rules`, REMEDY)] : told;
}
