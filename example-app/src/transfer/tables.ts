import { excerpt } from "../model/faults.js";
import { describeExcess } from "../model/quotas.js";
import { deleteRows } from "../store/records/batches.js";
import { deleteDomains, findDomainOwners, insertOrg, lockOrgRow, updateOrg } from "../store/records/orgs.js";
import { readOrg } from "../store/records/queries.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { addUsage, readUsage } from "../store/records/usage.js";
import { domainsOf, wantedOf, type DocumentOrg } from "./document.js";
import type { KindName, Stored } from "./kind.js";
import { KIND_NAMES, KINDS } from "./kinds.js";
import { notePlan } from "./note-plan.js";
import type { Report } from "./located.js";
import type { OrgPlan, OrgState } from "./plan.js";
import { needsAll } from "./removed.js";

/**
 * Read the state of the org that `file` names, and lock it until the transaction ends.
 *
 * @param onBytes told how many bytes the profiles of its users have, before they are read
 */
export async function readState(
  transaction: WriteTransaction,
  file: DocumentOrg,
  onBytes?: (bytes: number) => void,
): Promise<OrgState | undefined> {
  const row = await lockOrgRow(transaction, file.value.subdomain);
  if (!row) return undefined;
  const stored = {} as Stored;
  for (const kind of KIND_NAMES) await readKind(kind, stored, transaction, row.id, file, onBytes);
  return { org: await readOrg(transaction.db, row), policyId: row.policy_id, ...stored };
}

async function readKind<K extends KindName>(
  name: K,
  stored: Stored,
  transaction: WriteTransaction,
  orgId: string,
  file: DocumentOrg,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  const { read, readWanted } = KINDS[name];
  const isPartial = readWanted && !needsAll(name, file);
  if (name === "users" && !isPartial) onBytes?.((await readUsage(transaction.db, orgId)).userBytes ?? 0);
  const records = isPartial
    ? await readWanted(transaction, orgId, wantedOf(file, name), onBytes)
    : await read(transaction.db, orgId);
  stored[name] = records as Stored[K];
}

/** Report custom domains that belong to another org and stay there. */
export async function checkDomains(
  transaction: WriteTransaction,
  orgs: readonly DocumentOrg[],
  plans: readonly OrgPlan[],
  report: Report,
): Promise<void> {
  const planned = new Map(plans.map(({ org }) => [org.id, new Set(org.domains)]));
  const wanted = orgs.flatMap((org, i) => domainsOf(org).map((domain) => ({ ...domain, orgId: plans[i]?.org.id })));
  const owners = await findDomainOwners(
    transaction,
    wanted.map(({ value }) => value),
  );
  for (const { path, value, orgId } of wanted) {
    const owner = owners.get(value);
    if (owner === undefined || owner.id === orgId) continue;
    if (planned.get(owner.id)?.has(value) ?? true) report(path, `belongs to the org ${excerpt(owner.subdomain)}`);
  }
}

export async function writePlans(transaction: WriteTransaction, plans: readonly OrgPlan[]): Promise<void> {
  // Delete the old domains first: a domain may move from one org of the file to another.
  for (const { org, orgChanged } of plans) {
    if (orgChanged) await deleteDomains(transaction, org.id);
  }
  for (const plan of plans) await writePlan(transaction, plan);
}

/** Count what was written, and report the quotas that it exceeds. */
export async function checkQuotas(
  transaction: WriteTransaction,
  orgs: readonly DocumentOrg[],
  plans: readonly OrgPlan[],
  report: Report,
): Promise<void> {
  for (const [index, { org, usage }] of plans.entries()) {
    for (const excess of await addUsage(transaction, org.id, usage)) {
      const key = KIND_NAMES.find((kind) => KINDS[kind].quotas.includes(excess.quota)) ?? excess.quota;
      report([...(orgs[index]?.path ?? []), key], describeExcess(excess));
    }
  }
}

async function writePlan(transaction: WriteTransaction, plan: OrgPlan): Promise<void> {
  const { org, created, orgChanged, written, removed } = plan;
  if (created) await insertOrg(transaction, created);
  if (orgChanged) await updateOrg(transaction, org, plan.policyId);
  const touching = KIND_NAMES.some((kind) => KINDS[kind].touchesOrg && written[kind].length + removed[kind].length > 0);
  if (orgChanged || touching) await transaction.touch(org.id);
  for (const kind of KIND_NAMES) await writeKind(kind, transaction, plan);
  await notePlan(transaction, plan);
}

async function writeKind<K extends KindName>(
  name: K,
  transaction: WriteTransaction,
  { org, written, removed }: OrgPlan,
): Promise<void> {
  const { table, write } = KINDS[name];
  await deleteRows(transaction.db, table, org.id, removed[name]);
  await write(transaction, org.id, written[name]);
}
