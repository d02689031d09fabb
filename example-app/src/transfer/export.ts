import { ORG_PROVIDER } from "../model/orgs.js";
import type { Idp, Rule, Zone } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import { findOrgRow, findOrgRows, readOrg } from "../store/records/queries.js";
import type { Db, OrgRow } from "../store/contract/schema.js";
import type { Store } from "../store/store.js";
import { exportActions, type Names } from "./export-rule.js";
import type { TransferOptions } from "./import.js";
import type { KindName, Stored } from "./kind.js";
import { isManaged, KIND_NAMES, KINDS, mapKinds } from "./kinds.js";
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
  const exported = await exportOrg(db, row, { orgType, withUsers });
  const { subdomain, name, policyId, signInUrl, whenProfileUnavailable, defaultRule, ...lists } = exported;
  const kinds = KIND_NAMES.filter((kind) => isManaged(kind) && (withUsers || kind !== "users"));
  const managed = Object.fromEntries(kinds.map((kind) => [kind, lists[kind]]));
  const org = { subdomain, name, policyId, signInUrl, whenProfileUnavailable, ...managed, defaultRule };
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
  const { domains, rateLimits, signInUrl, whenProfileUnavailable } = await readOrg(db, row);
  const stored = {} as Stored;
  for (const kind of KIND_NAMES) {
    if (withUsers || kind !== "users") await readKind(kind, stored, db, id, pseudonyms);
  }
  const names = {
    idps: namesOf(stored.idps),
    zones: namesOf(stored.zones).set(ALL_ZONES, ALL_ZONES),
    rules: namesOf(stored.rules),
    orgType,
  };
  const defaultRule = stored.rules.find(({ system }) => system);
  return {
    subdomain,
    name,
    ...(status === "SUSPENDED" && { status }),
    domains,
    policyId,
    rateLimits,
    signInUrl,
    whenProfileUnavailable,
    ...mapKinds<Record<KindName, object[]>>((kind) => listOf(kind, stored, names)),
    defaultRule: defaultRule && { id: defaultRule.id, actions: exportActions(defaultRule, names) },
  };
}

async function readKind<K extends KindName>(
  name: K,
  stored: Stored,
  db: Db,
  orgId: string,
  pseudonyms: Pseudonyms | undefined,
): Promise<void> {
  const { read, hide } = KINDS[name];
  const records = await read(db, orgId);
  stored[name] = (hide && pseudonyms ? records.map(hide(pseudonyms)) : records) as Stored[K];
}

/** The default rule has a place of its own. */
function listOf<K extends KindName>(name: K, stored: Partial<Stored>, names: Names): object[] {
  const records: Stored[K] = stored[name] ?? [];
  return records
    .filter((record) => !("system" in record && record.system))
    .map((record) => KINDS[name].toFile(record, names));
}

function namesOf(records: readonly (Idp | Rule | Zone)[]): Map<string, string> {
  return new Map(records.map(({ id, name }) => [id, name]));
}
