import { sql, type RawBuilder } from "kysely";
import { ApiError } from "../model/api-error.js";
import { excerpt, type Path } from "../model/faults.js";
import { ALL_ZONES, type RuleActions, type RuleConditions } from "../model/records.js";
import { invalid } from "../rest/body.js";
import type { WriteTransaction } from "../store/transaction.js";

/** Rules that an error names. */
const MAX_NAMED = 5;

/**
 * @throws {ApiError} E0000001 with a cause for each identity provider and zone that the org does not have, and for each
 *   identity provider that is of another type
 */
export async function assertReferences(
  { db }: WriteTransaction,
  orgId: string,
  { actions, conditions: { network } }: { actions: RuleActions; conditions: RuleConditions },
): Promise<void> {
  const faults: [Path, string][] = [];
  const { providers } = actions.idp;
  const idpIds = providers.flatMap(({ id }) => id ?? []);
  const idps = new Map<string, string>();
  if (idpIds.length > 0) {
    const query = db.selectFrom("idps").select(["id", "type"]).where("org_id", "=", orgId).where("id", "in", idpIds);
    for (const { id, type } of await query.execute()) idps.set(id, type);
  }
  for (const [i, { id, type }] of providers.entries()) {
    if (id === undefined) continue;
    const path = ["actions", "idp", "providers", i];
    const stored = idps.get(id);
    if (stored === undefined) faults.push([[...path, "id"], `no identity provider has the id ${excerpt(id)}`]);
    else if (stored !== type) faults.push([[...path, "type"], `must be ${stored}, the type of this identity provider`]);
  }

  const named = [...(network?.include ?? []), ...(network?.exclude ?? [])].filter((id) => id !== ALL_ZONES);
  const zones = new Set<string>();
  if (named.length > 0) {
    const query = db.selectFrom("zones").select("id").where("org_id", "=", orgId).where("id", "in", named);
    for (const { id } of await query.execute()) zones.add(id);
  }
  for (const list of ["include", "exclude"] as const) {
    for (const [i, id] of (network?.[list] ?? []).entries()) {
      if (id === ALL_ZONES || zones.has(id)) continue;
      faults.push([["conditions", "network", list, i], `no zone has the id ${excerpt(id)}`]);
    }
  }
  if (faults.length > 0) throw invalid(faults);
}

/** @throws {ApiError} E0000195 that names the first rules that lead to the identity provider with this id */
export function assertIdpUnused(transaction: WriteTransaction, orgId: string, id: string): Promise<void> {
  return assertUnused(transaction, orgId, id, sql.ref("actions"));
}

/** @throws {ApiError} E0000195 that names the first rules with a condition on the zone with this id */
export function assertZoneUnused(transaction: WriteTransaction, orgId: string, id: string): Promise<void> {
  const { contains, memberOf } = transaction.dialect;
  // to search the text first spares reading the JSON of nearly every rule
  const network = sql`case when ${contains(sql.ref("conditions"), id)} then ${memberOf("conditions", "network")} end`;
  return assertUnused(transaction, orgId, id, network);
}

/** @param json a part of a rule that holds no text of its author, so that an id in it is a reference */
async function assertUnused(
  { db, dialect }: WriteTransaction,
  orgId: string,
  id: string,
  json: RawBuilder<unknown>,
): Promise<void> {
  const rules = await db
    .selectFrom("rules")
    .select(["id", "name"])
    .where("org_id", "=", orgId)
    .where(dialect.contains(sql<string>`${json}`, `"${id}"`))
    .orderBy("priority")
    .limit(MAX_NAMED + 1)
    .execute();
  if (rules.length === 0) return;
  const causes = rules.slice(0, MAX_NAMED).map((rule) => `The rule ${JSON.stringify(rule.name)} (${rule.id}) uses it.`);
  if (rules.length > MAX_NAMED) causes.push("More rules use it.");
  throw new ApiError("E0000195", { type: "resource.in-use", detail: `${id} is used by rules`, causes });
}
