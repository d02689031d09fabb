import { apiError } from "../model/api-error.js";
import { excerpt, type Path } from "../model/faults.js";
import type { Idp, RoutingTest, Rule, RuleActions, RuleConditions, RuleProvider, Zone } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import { invalid } from "../rest/body.js";
import { findIdpTypes, findRulesOnZone, findRulesToIdp, findZoneIds, RULES } from "../store/records/rules.js";
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
  const { providers = [] } = actions.idp;
  const zonesIn = (list: "include" | "exclude") =>
    (network?.[list] ?? []).map((id, i) => [["conditions", "network", list, i], id] as const);
  const faults = await findFaults(db, orgId, {
    providers: providers.map((provider, i) => [["actions", "idp", "providers", i], provider]),
    zones: [...zonesIn("include"), ...zonesIn("exclude")].filter(([, id]) => id !== ALL_ZONES),
  });
  if (faults.length > 0) throw invalid(faults);
}

/** @throws {ApiError} E0000001 as {@link assertReferences} does, also for the rule */
export async function assertTestReferences(
  { db }: Readonly<{ db: Db }>,
  orgId: string,
  { zone, expected: { provider, rule } }: Pick<RoutingTest, "zone" | "expected">,
): Promise<void> {
  const faults = await findFaults(db, orgId, {
    providers: provider ? [[["expected", "provider"], provider]] : [],
    zones: zone === undefined ? [] : [[["zone"], zone]],
  });
  if (rule !== undefined && !(await RULES.find(db, orgId, rule))) {
    faults.push([["expected", "rule"], `no rule has the id ${excerpt(rule)}`]);
  }
  if (faults.length > 0) throw invalid(faults);
}

/** What refers to other records, by its place. */
interface References {
  readonly providers: readonly (readonly [Path, RuleProvider])[];
  readonly zones: readonly (readonly [Path, string])[];
}

async function findFaults(db: Db, orgId: string, { providers, zones }: References): Promise<[Path, string][]> {
  const faults: [Path, string][] = [];
  const idps = await findIdpTypes(
    db,
    orgId,
    providers.flatMap(([, { id }]) => id ?? []),
  );
  for (const [path, { id, type }] of providers) {
    if (id === undefined) continue;
    const stored = idps.get(id);
    if (stored === undefined) faults.push([[...path, "id"], `no identity provider has the id ${excerpt(id)}`]);
    else if (stored !== type) faults.push([[...path, "type"], `must be ${stored}, the type of this identity provider`]);
  }
  const found = await findZoneIds(
    db,
    orgId,
    zones.map(([, id]) => id),
  );
  for (const [path, id] of zones) if (!found.has(id)) faults.push([path, `no zone has the id ${excerpt(id)}`]);
  return faults;
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
