import { isDeepStrictEqual } from "node:util";
import { excerpt, type Path } from "../model/faults.js";
import { buildOrg, ORG_PROVIDER, type CreatedOrg } from "../model/orgs.js";
import type {
  Idp,
  Issuer,
  Org,
  Rule,
  RuleActions,
  RuleConditions,
  TrustedOrigin,
  User,
  Zone,
} from "../model/records.js";
import { ALL_ZONES, type FileUser } from "../model/shapes.js";
import type { FileRule } from "../model/rule-shapes.js";
import { foldLogin } from "../store/rows.js";
import type { DocumentOrg, Located, Report } from "./document.js";
import { merge, type Counts } from "./merge.js";

/** The stored state of an org in the file: everything that the import may change. */
export interface OrgState {
  org: Org;
  idps: Idp[];
  zones: Zone[];
  trustedOrigins: TrustedOrigin[];
  issuers: Issuer[];
  /** In order, the default rule last. Empty when the file has no list of rules. */
  rules: Rule[];
  /** The users whose login or id is in the file. */
  users: User[];
}

/** The changes that bring an org in the store to the state in the file. */
export interface OrgPlan {
  org: Org;
  /** Set when the org is new. It includes the default rule, which is written before the rules below. */
  created: CreatedOrg | undefined;
  orgChanged: boolean;
  idps: Idp[];
  zones: Zone[];
  trustedOrigins: TrustedOrigin[];
  issuers: Issuer[];
  /** Issuers that the org no longer trusts. */
  removedIssuers: Issuer[];
  users: User[];
  /** Includes rules that only change their place. */
  rules: Rule[];
  /** Counts for the records in the file. */
  counts: Record<RecordKind, Counts>;
}

export const RECORD_KINDS = ["orgs", "idps", "zones", "trustedOrigins", "issuers", "rules", "users"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** What the names in a rule refer to, and the names of records with faults that are already reported. */
interface References {
  idps: ReadonlyMap<string, Idp>;
  idpNames: ReadonlySet<unknown>;
  zones: ReadonlyMap<string, Zone>;
  zoneNames: ReadonlySet<unknown>;
}

/**
 * Compare an org in the file with the stored one. A member that a record leaves out keeps its value, or gets the
 * default when the record is new. An import removes nothing except custom domains and issuers.
 */
// eslint-disable-next-line max-lines-per-function -- one kind of record after the other, over the same state
export function planOrg(file: DocumentOrg, state: OrgState | undefined, now: string, report: Report): OrgPlan {
  const fresh = buildOrg(file.value, now);
  const created = state ? undefined : fresh;
  const stored = state ?? newState(fresh);
  const removedIssuers = findRemoved(stored.issuers, file.issuers);
  const org = { ...stored.org, name: file.value.name, domains: file.value.domains ?? stored.org.domains };
  const orgChanged = removedIssuers.length > 0 || !isDeepStrictEqual(org, stored.org);
  if (orgChanged) org.lastUpdated = now;

  const idps = merge(file.idps, stored.idps, {
    keyOf: nameOf,
    build({ path, value }, before) {
      const { type, name, status, protocol } = value;
      if (before && before.type !== type) report([...path, "type"], `can't change; it is ${before.type}`);
      return { type, name, status: status ?? before?.status ?? "ACTIVE", protocol };
    },
    now,
    report,
  });

  const zones = merge(file.zones, stored.zones, {
    keyOf: nameOf,
    build: ({ value: { name, status, gateways, proxies } }, before) => ({
      type: "IP" as const,
      name,
      status: status ?? before?.status ?? "ACTIVE",
      gateways: gateways ?? before?.gateways ?? [],
      proxies: proxies ?? before?.proxies ?? [],
    }),
    now,
    report,
  });

  const trustedOrigins = merge(file.trustedOrigins, stored.trustedOrigins, {
    keyOf: nameOf,
    build: ({ value: { name, origin, scopes, status } }, before) => ({
      name,
      origin,
      scopes,
      status: status ?? before?.status ?? "ACTIVE",
    }),
    now,
    report,
  });
  reportTakenOrigins(file.trustedOrigins, stored.trustedOrigins, report);

  const issuers = merge(file.issuers ?? [], stored.issuers, {
    keyOf: ({ issuer }) => issuer,
    build: ({ value: { issuer, audience, keys } }) => ({ issuer, audience, keys }),
    now,
    report,
  });

  const users = merge(file.users, stored.users, {
    keyOf: ({ profile }) => foldLogin(profile.login),
    build: ({ value }, before) => buildUser(value, before, now),
    now,
    report,
  });

  const references: References = {
    idps: byName([...stored.idps, ...idps.records]),
    idpNames: file.idpNames,
    zones: byName([...stored.zones, ...zones.records]),
    zoneNames: file.zoneNames,
  };
  const rules = merge(file.rules ?? [], stored.rules, {
    keyOf: nameOf,
    build: (located, before) => buildRule(located, before, references, report),
    now,
    report,
  });

  return {
    org,
    created,
    orgChanged,
    idps: [...idps.changed],
    zones: [...zones.changed],
    trustedOrigins: [...trustedOrigins.changed],
    issuers: [...issuers.changed],
    removedIssuers,
    users: [...users.changed],
    rules: orderRules(rules, stored.rules, now),
    counts: {
      orgs: { created: created ? 1 : 0, updated: orgChanged ? 1 : 0, unchanged: created || orgChanged ? 0 : 1 },
      idps: idps.counts,
      zones: zones.counts,
      trustedOrigins: trustedOrigins.counts,
      issuers: issuers.counts,
      rules: rules.counts,
      users: users.counts,
    },
  };
}

function newState({ org, defaultRule }: CreatedOrg): OrgState {
  return { org, idps: [], zones: [], trustedOrigins: [], issuers: [], users: [], rules: [defaultRule] };
}

function findRemoved(stored: readonly Issuer[], wanted: DocumentOrg["issuers"]): Issuer[] {
  if (wanted === undefined) return [];
  const kept = new Set(wanted.map(({ value: { issuer } }) => issuer));
  return stored.filter(({ issuer }) => !kept.has(issuer));
}

/** Report origins that the org already trusts under a name that is not in the file. */
function reportTakenOrigins(
  wanted: DocumentOrg["trustedOrigins"],
  stored: readonly TrustedOrigin[],
  report: Report,
): void {
  const named = new Set(wanted.map(({ value }) => value.name));
  const owners = new Map(stored.filter(({ name }) => !named.has(name)).map(({ origin, name }) => [origin, name]));
  for (const { path, value } of wanted) {
    const owner = owners.get(value.origin);
    if (owner !== undefined) report([...path, "origin"], `is that of ${excerpt(owner)} already`);
  }
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function byName<R extends { name: string }>(records: readonly R[]): Map<string, R> {
  return new Map(records.map((record) => [record.name, record]));
}

function buildUser(
  { status, profile }: FileUser,
  before: User | undefined,
  now: string,
): Omit<User, "id" | "created" | "lastUpdated"> {
  const after = status ?? before?.status ?? "ACTIVE";
  return {
    status: after,
    activated: before?.activated ?? (after === "ACTIVE" ? now : null),
    statusChanged: before?.status === after ? before.statusChanged : now,
    lastLogin: before?.lastLogin ?? null,
    profile,
  };
}

/** The new rule keeps the stored place, if any. */
function buildRule(
  { path, value }: Located<FileRule>,
  before: Rule | undefined,
  references: References,
  report: Report,
): Omit<Rule, "id" | "created" | "lastUpdated"> {
  const { name, status, conditions, actions } = value;
  return {
    name,
    priority: before?.priority ?? 0,
    status: status ?? before?.status ?? "ACTIVE",
    system: false,
    conditions: conditions
      ? resolveConditions([...path, "conditions"], conditions, references, report)
      : (before?.conditions ?? {}),
    actions: resolveActions([...path, "actions", "idp", "providers"], actions, references, report),
  };
}

function resolveConditions(
  path: Path,
  { network, ...others }: NonNullable<FileRule["conditions"]>,
  { zones, zoneNames }: References,
  report: Report,
): RuleConditions {
  if (!network) return others;

  const toIds = (list: "include" | "exclude") =>
    network[list]?.map((name, i) => {
      if (name === ALL_ZONES) return ALL_ZONES;
      const zone = zones.get(name);
      if (!zone && !zoneNames.has(name)) report([...path, "network", list, i], `no zone is named ${excerpt(name)}`);
      return zone?.id ?? "";
    });
  const include = toIds("include");
  const exclude = toIds("exclude");
  return {
    ...others,
    network: { connection: network.connection, ...(include && { include }), ...(exclude && { exclude }) },
  };
}

function resolveActions(
  path: Path,
  actions: FileRule["actions"],
  { idps, idpNames }: References,
  report: Report,
): RuleActions {
  const providers = actions.idp.providers.map(({ idp: name }, i) => {
    if (name === undefined) return { type: ORG_PROVIDER };
    const idp = idps.get(name);
    if (!idp && !idpNames.has(name)) report([...path, i, "idp"], `no identity provider is named ${excerpt(name)}`);
    return { type: idp?.type ?? "", id: idp?.id ?? "" };
  });
  return { idp: { providers, idpSelectionType: "SPECIFIC" } };
}

/**
 * The rules to write. The rules of the file come first, in its order; the others follow in their order; the default
 * rule is last. A rule that changes its place counts as updated.
 */
function orderRules(
  { records, changed, counts }: ReturnType<typeof merge<FileRule, Rule>>,
  stored: readonly Rule[],
  now: string,
): Rule[] {
  if (records.length === 0) return [];
  const named = new Set(records.map(({ id }) => id));
  const others = stored.filter(({ id }) => !named.has(id));
  return [...records, ...others].flatMap((rule, i) => {
    const priority = i + 1;
    if (rule.priority === priority) return changed.has(rule) ? [rule] : [];
    if (i < records.length && !changed.has(rule)) {
      counts.unchanged--;
      counts.updated++;
    }
    return [{ ...rule, priority, lastUpdated: now }];
  });
}
