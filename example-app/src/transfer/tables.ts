import { excerpt } from "../model/faults.js";
import { describeExcess, type QuotaName } from "../model/quotas.js";
import { deleteRows, upsertRows } from "../store/records/batches.js";
import { deleteDomains, findDomainOwners, insertOrg, lockOrgRow, updateOrg } from "../store/records/orgs.js";
import { readIdps, readIssuers, readOrg, readRules, readTrustedOrigins, readZones } from "../store/records/queries.js";
import { fromIdp, fromIssuer, fromRule, fromTrustedOrigin, fromUser, fromZone } from "../store/contract/rows.js";
import { clearPlaces, resetPositions } from "../store/records/rule-order.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { addUsage } from "../store/records/usage.js";
import { findUsers } from "../store/records/users.js";
import { domainsOf, type DocumentOrg, type Report } from "./document.js";
import type { OrgPlan, OrgState } from "./plan.js";

/** The list of a file that takes a quota of another name. */
const LIST_OF: Readonly<Partial<Record<QuotaName, string>>> = {
  patterns: "rules",
  patternBytes: "rules",
  dynamicRules: "rules",
  ruleBytes: "rules",
  idpBytes: "idps",
  zoneBytes: "zones",
  userBytes: "users",
};

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
  const { db } = transaction;
  const row = await lockOrgRow(transaction, file.value.subdomain);
  if (!row) return undefined;
  const named = file.users.map(({ value: { id, profile } }) => ({ id, login: profile.login }));
  const users = await findUsers(transaction, row.id, named, onBytes);
  return {
    org: await readOrg(db, row),
    policyId: row.policy_id,
    idps: await readIdps(db, row.id),
    zones: await readZones(db, row.id),
    trustedOrigins: await readTrustedOrigins(db, row.id),
    issuers: await readIssuers(db, row.id),
    rules: file.rules || file.defaultRule ? await readRules(db, row.id) : [],
    users,
  };
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
      const key = LIST_OF[excess.quota] ?? excess.quota;
      report([...(orgs[index]?.path ?? []), key], describeExcess(excess));
    }
  }
}

async function writePlan(transaction: WriteTransaction, plan: OrgPlan): Promise<void> {
  const { db } = transaction;
  const { org, created, orgChanged, idps, zones, trustedOrigins, issuers, removedIssuers, rules, users } = plan;
  const { id } = org;
  const rowsOf = function* <R, Row>(records: readonly R[], toRow: (orgId: string, record: R) => Row): Generator<Row> {
    for (const record of records) yield toRow(id, record);
  };

  if (created) await insertOrg(transaction, created);
  if (orgChanged) await updateOrg(transaction, org, plan.policyId);
  const touching = [idps, zones, trustedOrigins, issuers, rules].some((records) => records.length > 0);
  if (orgChanged || touching) await transaction.touch(id);

  await upsertRows(db, "idps", rowsOf(idps, fromIdp));
  await upsertRows(db, "zones", rowsOf(zones, fromZone));
  // Delete these first: an origin may move from one record of the file to another.
  await deleteRows(db, "trusted_origins", id, trustedOrigins);
  await upsertRows(db, "trusted_origins", rowsOf(trustedOrigins, fromTrustedOrigin));
  await deleteRows(db, "issuers", id, removedIssuers);
  await upsertRows(db, "issuers", rowsOf(issuers, fromIssuer));
  await upsertRows(db, "users", rowsOf(users, fromUser));

  if (rules.length === 0) return;
  await clearPlaces(db, id, rules);
  await upsertRows(db, "rules", rowsOf(rules, fromRule));
  await resetPositions(db, id); // rules that were not written also need it: they may lie between others
}
