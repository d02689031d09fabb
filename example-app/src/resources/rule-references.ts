import { apiError } from "../model/api-error.js";
import { excerpt, type Path } from "../model/faults.js";
import type { Idp, Rule, RuleActions, RuleConditions, Zone } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import { invalid } from "../rest/body.js";
import { findIdpTypes, findRulesOnZone, findRulesToIdp, findZoneIds } from "../store/records/rules.js";
import type { Db } from "../store/contract/schema.js";
import type { WriteTransaction } from "../store/contract/transaction.js";

/** The number of rules that an error names. */
const MAX_NAMED = 5;

/**
 * @throws {ApiError} E0000001 with a cause for each zone and each identity provider that the org doesn't have, and for
 * each identity provider with another type
 */
export async function assertReferences(
  { db }: Readonly<{ db: Db }>,
  orgId: string,
  { actions, conditions: { network } }: { actions: RuleActions; conditions: RuleConditions },
): Promise<void> {
  const faults: [Path, string][] = [];
  const { providers = [] } = actions.idp;
  const idpIds = providers.flatMap(({ id }) => id ?? []);
  const idps = await findIdpTypes(db, orgId, idpIds);
  for (const [i, { id, type }] of providers.entries()) {
    if (id === undefined) continue;
    const path = ["actions", "idp", "providers", i];
    const stored = idps.get(id);
    if (stored === undefined) faults.push([[...path, "id"], `no identity provider has the id ${excerpt(id)}`]);
    else if (stored !== type) faults.push([[...path, "type"], `must be ${stored}, the type of this identity provider`]);
  }

  const named = [...(network?.include ?? []), ...(network?.exclude ?? [])].filter((id) => id !== ALL_ZONES);
  const zones = await findZoneIds(db, orgId, named);
  for (const list of ["include", "exclude"] as const) {
    for (const [i, id] of (network?.[list] ?? []).entries()) {
      if (id === ALL_ZONES || zones.has(id)) continue;
      faults.push([["conditions", "network", list, i], `no zone has the id ${excerpt(id)}`]);
    }
  }
  if (faults.length > 0) throw invalid(faults);
}

/** @throws {ApiError} E0000195 with the first rules that lead to the identity provider */
export async function assertIdpUnused({ id }: Idp, transaction: WriteTransaction, orgId: string): Promise<void> {
  assertNone(id, await findRulesToIdp(transaction, orgId, id, MAX_NAMED + 1));
}

/** @throws {ApiError} E0000195 with the first rules that have a condition on the zone */
export async function assertZoneUnused({ id }: Zone, transaction: WriteTransaction, orgId: string): Promise<void> {
  assertNone(id, await findRulesOnZone(transaction, orgId, id, MAX_NAMED + 1));
}

function assertNone(id: string, rules: readonly Pick<Rule, "id" | "name">[]): void {
  if (rules.length === 0) return;
  const causes = rules.slice(0, MAX_NAMED).map((rule) => `The rule ${JSON.stringify(rule.name)} (${rule.id}) uses it.`);
  if (rules.length > MAX_NAMED) causes.push("More rules use it.");
  throw apiError("E0000195", { type: "resource.in-use", detail: `${id} is used by rules`, causes });
}
