import { join } from "node:path";
import { excerpt } from "../model/faults.js";
import { ORG_PROVIDER } from "../model/orgs.js";
import { clearOrg, hasUsers } from "../store/records/orgs.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { readDocument, type DocumentOrg } from "./document.js";
import type { Stored } from "./kind.js";
import { KIND_NAMES, KINDS, mapKinds, RECORD_KINDS } from "./kinds.js";
import type { Report } from "./located.js";
import { planOrg, type OrgState } from "./plan.js";
import { readText } from "./read-text.js";

/** The file is in the parent folder of `src` and, when built, of `dist`. */
const DEMO_FILE = join(__dirname, "../../demo.json");

export function readDemonstration(): Promise<string> {
  return readText(DEMO_FILE);
}

/**
 * Check that the file has the id of the org's policy, if any. An export of another database has another one: it replaces
 * an org that is still the demonstration of the first start, together with all ids. The org's tokens and log stay.
 *
 * @returns the state after the demonstration was removed, or the same
 */
export async function makeRoom(
  transaction: WriteTransaction,
  { path, value: { subdomain, policyId }, defaultRule }: DocumentOrg,
  state: OrgState,
  report: Report,
): Promise<OrgState> {
  if (policyId === undefined || policyId === state.policyId) return state;
  if (!defaultRule || !(await isDemonstration(transaction, subdomain, state))) {
    report([...path, "policyId"], `is not that of ${excerpt(subdomain)}, which is ${state.policyId}`);
    return state;
  }
  await clearOrg(transaction, state.org.id);
  for (const kind of KIND_NAMES) {
    for (const record of state[kind]) transaction.changes.add(state.org.id, KINDS[kind].table, record, undefined);
  }
  return { ...state, ...mapKinds<Stored>(() => []), removed: state };
}

async function isDemonstration({ db, now }: WriteTransaction, subdomain: string, state: OrgState): Promise<boolean> {
  const [demo] = readDocument(JSON.parse(await readDemonstration()), ORG_PROVIDER, () => undefined);
  if (demo?.value.subdomain !== subdomain || (await hasUsers(db, state.org.id))) return false;
  const { counts } = planOrg(demo, { ...state, users: [] }, now, () => undefined);
  const stored = { ...state, orgs: [state.org], users: [] };
  return RECORD_KINDS.every(
    (kind) => counts[kind].unchanged === stored[kind].length && counts[kind].created + counts[kind].updated === 0,
  );
}
