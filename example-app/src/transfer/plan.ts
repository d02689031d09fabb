import { isDeepStrictEqual } from "node:util";
import type { AuditEvent } from "../audit/change-events.js";
import {
  describeIdp,
  describeIssuer,
  describeOrg,
  describeRule,
  describeTrustedOrigin,
  describeUser,
  describeZone,
  toLogEntity,
  type UserEvent,
} from "../audit/describe-change.js";
import { runAtOnce, type Steps } from "../pace/steps.js";
import { excerpt } from "../model/faults.js";
import { buildOrg, type CreatedOrg } from "../model/orgs.js";
import type { Idp, Issuer, Org, Rule, TrustedOrigin, User, Zone } from "../model/records.js";
import { TOKEN_TYPES } from "../model/trust-shapes.js";
import { foldLogin, POLICY_NAME } from "../store/contract/rows.js";
import type { Usage } from "../store/records/usage.js";
import type { DocumentOrg, Report } from "./document.js";
import { buildUser } from "./build-user.js";
import { listChanges, type Change } from "./changes.js";
import { merge, type Counts, type Merge } from "./merge.js";
import { orderRules } from "./order-rules.js";
import { buildRule, type References } from "./references.js";
import { measureUsage } from "./usage.js";

/** The stored state of an org in the file: everything that the import may change. */
export interface OrgState {
  org: Org;
  policyId: string;
  idps: Idp[];
  zones: Zone[];
  trustedOrigins: TrustedOrigin[];
  issuers: Issuer[];
  /** In order, the default rule last. Empty when the file has no rules. */
  rules: Rule[];
  /** The users whose login or id is in the file. */
  users: User[];
  /** What the import has removed already. */
  removed?: Pick<OrgState, "idps" | "rules">;
}

/** The changes that bring an org in the store to the state in the file. */
export interface OrgPlan {
  org: Org;
  policyId: string;
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
  /** An event for each record that is created, updated or removed. */
  events: (() => AuditEvent)[];
  /** The changes of records, in the order of the file's kinds. */
  changes: () => Iterable<Change>;
  /** Counts for the records in the file. */
  counts: Record<RecordKind, Counts>;
  /** How the quotas of the org are used. */
  usage: Usage;
}

export const RECORD_KINDS = ["orgs", "idps", "zones", "trustedOrigins", "issuers", "rules", "users"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * Compare an org in the file with the stored one. A member that a record leaves out keeps its value, or gets the
 * default when the record is new. An import removes nothing except custom domains and issuers.
 */
// eslint-disable-next-line max-lines-per-function -- one kind of record after the other, over the same state
export function* planInSteps(
  file: DocumentOrg,
  state: OrgState | undefined,
  now: string,
  report: Report,
): Steps<OrgPlan> {
  const fresh = buildOrg(file.value, now);
  const stored = state ?? newState(fresh, file);
  const { name, policyId = stored.policyId, status = stored.org.status } = file.value;
  const { domains = stored.org.domains, rateLimits = stored.org.rateLimits } = file.value;
  const removedIssuers = findRemoved(stored.issuers, file.issuers);
  const org = { ...stored.org, name, status, domains, rateLimits };
  const orgChanged = removedIssuers.length > 0 || policyId !== stored.policyId || !isDeepStrictEqual(org, stored.org);
  if (orgChanged) org.lastUpdated = now;

  const idps = yield* merge(file.idps, stored.idps, {
    keyOf: nameOf,
    build({ path, value }, before) {
      const { type, name, status, protocol } = value;
      if (before && before.type !== type) report([...path, "type"], `can't change; it is ${before.type}`);
      return { type, name, status: status ?? before?.status ?? "ACTIVE", protocol };
    },
    now,
    report,
  });

  const zones = yield* merge(file.zones, stored.zones, {
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

  const trustedOrigins = yield* merge(file.trustedOrigins, stored.trustedOrigins, {
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

  const issuers = yield* merge(file.issuers ?? [], stored.issuers, {
    keyOf: ({ issuer }) => issuer,
    build: ({ value: { issuer, audience, keys, types } }, before) => ({
      issuer,
      audience,
      keys,
      types: types ?? before?.types ?? [...TOKEN_TYPES],
    }),
    now,
    report,
  });

  const users = yield* merge(file.users, stored.users, {
    keyOf: ({ profile }) => foldLogin(profile.login),
    build: (located, before) => buildUser(located, before, now, report),
    now,
    report,
  });

  const references: References = {
    idps: byName([...stored.idps, ...idps.records]),
    idpNames: file.idpNames,
    zones: byName([...stored.zones, ...zones.records]),
    zoneNames: file.zoneNames,
  };
  const wantedRules = [...(file.rules ?? []), ...(file.defaultRule ? [file.defaultRule] : [])];
  const rules = yield* merge(wantedRules, stored.rules, {
    keyOf: nameOf,
    build: (located, before) => buildRule(located, before, references, report),
    now,
    report,
  });

  const orderedRules = orderRules(rules, stored.rules, now);
  const policy = toLogEntity({ id: policyId, name: POLICY_NAME }, "Policy");
  const describePolicyRule = (event: string, rule: Rule): AuditEvent => {
    const { target, ...others } = describeRule(event, rule);
    return { ...others, target: [...target, policy] };
  };
  const statuses = new Map(stored.users.map(({ id, status }) => [id, status]));
  const describeAnyUser = (event: "create" | "update", user: User): AuditEvent =>
    describeUser(event === "create" ? event : userEventOf(user, statuses.get(user.id)), user);

  const defaultRule = rules.records.find(({ system }) => system) ?? fresh.defaultRule;
  const created = state ? undefined : { ...fresh, defaultRule };

  return {
    org,
    policyId,
    created,
    orgChanged,
    idps: [...idps.changed.keys()],
    zones: [...zones.changed.keys()],
    trustedOrigins: [...trustedOrigins.changed.keys()],
    issuers: [...issuers.changed.keys()],
    removedIssuers,
    users: [...users.changed.keys()],
    rules: orderedRules,
    events: [
      ...(created || orgChanged ? [() => describeOrg(created ? "create" : "update", org)] : []),
      ...(state?.removed?.idps ?? []).map((idp) => () => describeIdp("delete", idp)),
      ...(state?.removed?.rules ?? []).map((rule) => () => describePolicyRule("delete", rule)),
      ...eventsOf(idps, describeIdp),
      ...eventsOf(zones, describeZone),
      ...eventsOf(trustedOrigins, describeTrustedOrigin),
      ...removedIssuers.map((issuer) => () => describeIssuer("delete", issuer)),
      ...eventsOf(issuers, describeIssuer),
      ...eventsOf(users, describeAnyUser),
      ...eventsOf(rules, describePolicyRule),
    ],
    *changes() {
      yield* listChanges("idps", file.idps, idps, stored.idps);
      yield* listChanges("zones", file.zones, zones, stored.zones);
      yield* listChanges("trustedOrigins", file.trustedOrigins, trustedOrigins, stored.trustedOrigins);
      yield* listChanges("rules", wantedRules, rules, stored.rules, orderedRules);
      yield* listChanges("users", file.users, users, stored.users);
    },
    counts: {
      orgs: { created: created ? 1 : 0, updated: orgChanged ? 1 : 0, unchanged: created || orgChanged ? 0 : 1 },
      idps: idps.counts,
      zones: zones.counts,
      trustedOrigins: trustedOrigins.counts,
      issuers: issuers.counts,
      rules: rules.counts,
      users: users.counts,
    },
    usage: yield* measureUsage({ idps, zones, trustedOrigins, users, rules }, stored),
  };
}

/** {@link planInSteps} without a pause. */
export function planOrg(...args: Parameters<typeof planInSteps>): OrgPlan {
  return runAtOnce(planInSteps(...args));
}

function eventsOf<R>({ changed }: Merge<R>, describe: (event: "create" | "update", record: R) => AuditEvent) {
  return Array.from(
    changed,
    ([record, event]) =>
      () =>
        describe(event, record),
  );
}

/** A change of the status tells more than one of the profile. */
function userEventOf({ status }: User, before: User["status"] | undefined): UserEvent {
  if (status === before) return "update";
  switch (status) {
    case "ACTIVE":
      return "activate";
    case "SUSPENDED":
      return "suspend";
    case "DEPROVISIONED":
      return "deactivate";
    case "PASSWORD_EXPIRED":
      return "expirePassword";
    default:
      return "update";
  }
}

function newState({ defaultRule, ...org }: CreatedOrg, file: DocumentOrg): OrgState {
  const rules = file.defaultRule ? [] : [defaultRule];
  return { ...org, idps: [], zones: [], trustedOrigins: [], issuers: [], users: [], rules };
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
