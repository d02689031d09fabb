import { ORG_PROVIDER } from "../model/orgs.js";
import type { Idp, Rule, Zone } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import {
  findOrgRow,
  findOrgRows,
  readIdps,
  readIssuers,
  readOrg,
  readRules,
  readTrustedOrigins,
  readUsers,
  readZones,
} from "../store/records/queries.js";
import type { Db, OrgRow } from "../store/contract/schema.js";
import type { Store } from "../store/store.js";
import type { TransferOptions } from "./import.js";
import { createPseudonyms, type Pseudonyms } from "./pseudonyms.js";

export interface ExportOptions extends TransferOptions {
  /** The one org to export; all without it. */
  orgId?: string | undefined;
  /**
   * Replace what identifies users, with a key that nobody keeps.
   *
   * @default false
   */
  pseudonymize?: boolean;
}

export interface RecordsOptions {
  /** See {@link TransferOptions}. */
  orgType: string;
  /** Whether users are among the records. */
  users: boolean;
}

/**
 * Export all orgs, or one, from one snapshot as a document that can be imported (docs/guides/import.md). The same content gives the
 * same document. Dates are left out, because every store creates its own.
 */
export function exportAll(
  store: Store,
  { orgType = ORG_PROVIDER, orgId, pseudonymize = false }: ExportOptions = {},
): Promise<string> {
  const pseudonyms = pseudonymize ? createPseudonyms() : undefined;
  return store.read(async (db) => {
    const orgs: unknown[] = [];
    for (const row of await findOrgRows(db)) {
      if (row.status !== "REMOVING" && (orgId === undefined || row.id === orgId))
        orgs.push(await exportOrg(db, row, { orgType, pseudonyms }));
    }
    return `${JSON.stringify({ orgs }, null, 2)}\n`;
  });
}

/** What administrators of the org with this id manage of it, as {@link exportAll} writes it. */
export async function exportRecords(db: Db, orgId: string, { orgType, users: withUsers }: RecordsOptions) {
  const row = await findOrgRow(db, "id", orgId);
  if (!row) throw new Error(`The org ${orgId} does not exist`);
  const { subdomain, name, policyId, idps, zones, trustedOrigins, users, rules, defaultRule } = await exportOrg(
    db,
    row,
    {
      orgType,
      withUsers,
    },
  );
  const org = {
    subdomain,
    name,
    policyId,
    idps,
    zones,
    trustedOrigins,
    ...(withUsers && { users }),
    rules,
    defaultRule,
  };
  return { orgs: [org] };
}

interface OrgExport {
  orgType: string;
  pseudonyms?: Pseudonyms | undefined;
  /** @default true */
  withUsers?: boolean;
}

async function exportOrg(db: Db, row: OrgRow, { orgType, pseudonyms, withUsers = true }: OrgExport) {
  const { id, subdomain, name, status, policy_id: policyId } = row;
  const { domains, rateLimits } = await readOrg(db, row);
  const idps = await readIdps(db, id);
  const zones = await readZones(db, id);
  const trustedOrigins = await readTrustedOrigins(db, id);
  const issuers = await readIssuers(db, id);
  const storedUsers = withUsers ? await readUsers(db, id) : [];
  const storedRules = await readRules(db, id);
  const users = pseudonyms ? storedUsers.map(pseudonyms.hideUser) : storedUsers;
  const rules = pseudonyms ? storedRules.map(pseudonyms.hideRule) : storedRules;

  const defaultRule = rules.find(({ system }) => system);
  const names = { idps: namesOf(idps), zones: namesOf(zones).set(ALL_ZONES, ALL_ZONES), orgType };
  return {
    subdomain,
    name,
    ...(status === "SUSPENDED" && { status }),
    domains,
    policyId,
    rateLimits,
    idps: idps.map(({ id, name, type, status, protocol }) => ({ id, name, type, status, protocol })),
    zones: zones.map(({ id, name, status, gateways, proxies }) => ({ id, name, status, gateways, proxies })),
    trustedOrigins: trustedOrigins.map(({ id, name, origin, scopes, status }) => ({
      id,
      name,
      origin,
      scopes,
      status,
    })),
    issuers: issuers.map(({ id, issuer, audience, keys, types }) => ({ id, issuer, audience, keys, types })),
    users: users.map(({ id, status, profile }) => ({ id, status, profile })),
    rules: rules.filter(({ system }) => !system).map((rule) => exportRule(rule, names)),
    defaultRule: defaultRule && { id: defaultRule.id, actions: exportActions(defaultRule, names) },
  };
}

/** The names in a file, by id. */
interface Names {
  idps: ReadonlyMap<string, string>;
  zones: ReadonlyMap<string, string>;
  orgType: string;
}

function exportRule(rule: Rule, names: Names): unknown {
  const { id, name, status, conditions } = rule;
  const { network } = conditions;
  const toNames = (ids: readonly string[] | undefined) => ids?.map((zoneId) => nameOf(zoneId, names.zones, name));
  return {
    id,
    name,
    status,
    conditions: network
      ? {
          ...conditions,
          network: { ...network, include: toNames(network.include), exclude: toNames(network.exclude) },
        }
      : conditions,
    actions: exportActions(rule, names),
  };
}

function exportActions({ name, actions }: Pick<Rule, "name" | "actions">, { idps, orgType }: Names): unknown {
  if (actions.idp.idpSelectionType === "DYNAMIC") return actions;
  const providers = actions.idp.providers.map(({ id }) =>
    id === undefined ? { type: orgType } : { idp: nameOf(id, idps, name) },
  );
  return { idp: { providers } };
}

function namesOf(records: readonly (Idp | Zone)[]): Map<string, string> {
  return new Map(records.map(({ id, name }) => [id, name]));
}

function nameOf(id: string, names: ReadonlyMap<string, string>, rule: string): string {
  const name = names.get(id);
  if (name === undefined) throw new Error(`The rule "${rule}" refers to ${id}, which does not exist`);
  return name;
}
