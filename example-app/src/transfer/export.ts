import { ORG_PROVIDER } from "../model/orgs.js";
import type { Idp, Org, Rule, Zone } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import {
  readIdps,
  readIssuers,
  readOrgs,
  readRules,
  readTrustedOrigins,
  readUsers,
  readZones,
} from "../store/queries.js";
import type { Db } from "../store/schema.js";
import type { Store } from "../store/store.js";
import type { TransferOptions } from "./import.js";

/**
 * Export all orgs from one snapshot as a document that can be imported (docs/import.md). The same content gives the
 * same document. Dates and default rules are left out, because every store creates its own.
 */
export function exportAll(store: Store, { orgType = ORG_PROVIDER }: TransferOptions = {}): Promise<string> {
  return store.read(async (db) => {
    const orgs: unknown[] = [];
    for (const org of await readOrgs(db)) orgs.push(await exportOrg(db, org, orgType));
    return `${JSON.stringify({ orgs }, null, 2)}\n`;
  });
}

async function exportOrg(db: Db, { id, subdomain, name, domains }: Org, orgType: string): Promise<unknown> {
  const idps = await readIdps(db, id);
  const zones = await readZones(db, id);
  const trustedOrigins = await readTrustedOrigins(db, id);
  const issuers = await readIssuers(db, id);
  const users = await readUsers(db, id);
  const rules = await readRules(db, id);

  const idpNames = namesOf(idps);
  const zoneNames = namesOf(zones).set(ALL_ZONES, ALL_ZONES);
  return {
    subdomain,
    name,
    domains,
    idps: idps.map(({ id, name, type, status, protocol }) => ({ id, name, type, status, protocol })),
    zones: zones.map(({ id, name, status, gateways, proxies }) => ({ id, name, status, gateways, proxies })),
    trustedOrigins: trustedOrigins.map(({ id, name, origin, scopes, status }) => ({
      id,
      name,
      origin,
      scopes,
      status,
    })),
    issuers: issuers.map(({ id, issuer, audience, keys }) => ({ id, issuer, audience, keys })),
    users: users.map(({ id, status, profile }) => ({ id, status, profile })),
    rules: rules.filter(({ system }) => !system).map((rule) => exportRule(rule, idpNames, zoneNames, orgType)),
  };
}

function exportRule(
  { id, name, status, conditions, actions }: Rule,
  idpNames: ReadonlyMap<string, string>,
  zoneNames: ReadonlyMap<string, string>,
  orgType: string,
): unknown {
  const { network } = conditions;
  const toNames = (ids: readonly string[] | undefined) => ids?.map((zoneId) => nameOf(zoneId, zoneNames, name));
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
    actions: {
      idp: {
        providers: actions.idp.providers.map((provider) =>
          provider.id === undefined ? { type: orgType } : { idp: nameOf(provider.id, idpNames, name) },
        ),
      },
    },
  };
}

function namesOf(records: readonly (Idp | Zone)[]): Map<string, string> {
  return new Map(records.map(({ id, name }) => [id, name]));
}

function nameOf(id: string, names: ReadonlyMap<string, string>, rule: string): string {
  const name = names.get(id);
  if (name === undefined) throw new Error(`The rule "${rule}" refers to ${id}, which does not exist`);
  return name;
}
