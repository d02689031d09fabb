import { compileRoutingInSteps, type Routing, type RoutingPolicy } from "../discovery/compile-routing.js";
import { readRevision, readRoutedIdps, readRules, readZones } from "../store/queries.js";
import type { Db } from "../store/schema.js";
import type { CompiledRouting } from "../tenancy/routing-cache.js";
import { runInSlices } from "../tenancy/slices.js";

export type RoutedRecords = Pick<RoutingPolicy, "idps" | "zones">;

/** What rules refer to, and their routing: `cached`, unless another process has changed something since. */
export async function readRouting(db: Db, orgId: string, cached: CompiledRouting | undefined) {
  const records = { idps: await readRoutedIdps(db, orgId), zones: await readZones(db, orgId) };
  const isCurrent = cached && cached.revision === (await readRevision(db, orgId));
  return { ...records, route: isCurrent ? cached.route : await compileRules(db, orgId, records) };
}

/** @param without the id of a rule that is left out */
export async function compileRules(
  db: Db,
  orgId: string,
  records: Readonly<RoutedRecords>,
  without?: string,
): Promise<Routing> {
  const rules = (await readRules(db, orgId, "ACTIVE")).filter(({ id }) => id !== without);
  return (await runInSlices(compileRoutingInSteps({ ...records, rules }))).value;
}
