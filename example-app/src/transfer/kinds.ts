import type { AuditEvent } from "../audit/change-events.js";
import {
  describeIdp,
  describeIssuer,
  describeRoutingTest,
  describeRule,
  describeTrustedOrigin,
  describeZone,
  toLogEntity,
} from "../audit/describe-change.js";
import { excerpt } from "../model/faults.js";
import { nextMetadataState } from "../model/metadata-state.js";
import { createFileTestShape } from "../model/routing-test-shapes.js";
import { IDP_SHAPE, ZONE_SHAPE } from "../model/shapes.js";
import { ISSUER_SHAPE, TOKEN_TYPES, TRUSTED_ORIGIN_SHAPE } from "../model/trust-shapes.js";
import { USER_SHAPE } from "../model/user-shapes.js";
import {
  foldLogin,
  fromIdp,
  fromIssuer,
  fromRoutingTest,
  fromTrustedOrigin,
  fromUser,
  fromZone,
  POLICY_NAME,
} from "../store/contract/rows.js";
import { deleteRows } from "../store/records/batches.js";
import {
  readIdps,
  readIssuers,
  readRoutingTests,
  readRules,
  readTrustedOrigins,
  readUsers,
  readZones,
} from "../store/records/queries.js";
import { findUsers } from "../store/records/users.js";
import { buildUser, describeUserChange } from "./build-user.js";
import { exportRule } from "./export-rule.js";
import type { FileLists, Kind, KindName, Stored } from "./kind.js";
import type { Report } from "./located.js";
import { orderRules } from "./order-rules.js";
import { buildRule } from "./references.js";
import { buildTest, exportTest } from "./tests.js";
import { measureGrowth, measureRule } from "./usage.js";
import { writeRules, writeTo } from "./write-records.js";

/** What the check of a record costs beside that of its members; more where keys are parsed: a certificate, or up to a hundred of an issuer. */
const CHECK_COST = 20;
const CERTIFICATE_COST = 250;
const KEYS_COST = 15_000;

const writeOrigins = writeTo("trusted_origins", fromTrustedOrigin);

/** Each kind of records, in the order in which an import reads, compares and writes them: rules and tests refer to those before. */
export const KINDS: { readonly [K in KindName]: Kind<K> } = {
  idps: {
    noun: "identity provider",
    table: "idps",
    shape: () => IDP_SHAPE,
    cost: CERTIFICATE_COST,
    unique: [{ at: ["name"], valueOf: nameOf }],
    keyOf: nameOf,
    nameOf,
    isWhole: false,
    touchesOrg: true,
    read: readIdps,
    build({ path, value: { type, name, status, protocol } }, before, { report, now }) {
      if (before && before.type !== type) report([...path, "type"], `can't change; it is ${before.type}`);
      const metadata = nextMetadataState(protocol, before, now);
      return { type, name, status: status ?? before?.status ?? "ACTIVE", protocol, metadata };
    },
    write: writeTo("idps", fromIdp),
    describe: describeIdp,
    quotas: ["idps", "idpBytes"],
    measure: (record, before) => ({
      idps: before ? 0 : 1,
      idpBytes: measureGrowth("idps", fromIdp, record, before),
    }),
    toFile: ({ id, name, type, status, protocol }) => ({ id, name, type, status, protocol }),
  },

  zones: {
    noun: "zone",
    table: "zones",
    shape: () => ZONE_SHAPE,
    cost: CHECK_COST,
    unique: [{ at: ["name"], valueOf: nameOf }],
    keyOf: nameOf,
    nameOf,
    isWhole: false,
    touchesOrg: true,
    read: readZones,
    build: ({ value: { name, status, gateways, proxies } }, before) => ({
      type: "IP",
      name,
      status: status ?? before?.status ?? "ACTIVE",
      gateways: gateways ?? before?.gateways ?? [],
      proxies: proxies ?? before?.proxies ?? [],
    }),
    write: writeTo("zones", fromZone),
    describe: describeZone,
    quotas: ["zones", "zoneBytes"],
    measure: (record, before) => ({
      zones: before ? 0 : 1,
      zoneBytes: measureGrowth("zones", fromZone, record, before),
    }),
    toFile: ({ id, name, status, gateways, proxies }) => ({ id, name, status, gateways, proxies }),
  },

  trustedOrigins: {
    noun: "trusted origin",
    table: "trusted_origins",
    shape: () => TRUSTED_ORIGIN_SHAPE,
    cost: CHECK_COST,
    unique: [
      { at: ["name"], valueOf: nameOf },
      { at: ["origin"], valueOf: ({ origin }) => origin },
    ],
    keyOf: nameOf,
    nameOf,
    isWhole: false,
    touchesOrg: true,
    read: readTrustedOrigins,
    build: ({ value: { name, origin, scopes, status } }, before) => ({
      name,
      origin,
      scopes,
      status: status ?? before?.status ?? "ACTIVE",
    }),
    check: reportTakenOrigins,
    async write(transaction, orgId, records) {
      await deleteRows(transaction.db, "trusted_origins", orgId, records); // an origin may move from one record of the file to another
      await writeOrigins(transaction, orgId, records);
    },
    describe: describeTrustedOrigin,
    quotas: ["trustedOrigins"],
    measure: (_record, before) => ({ trustedOrigins: before ? 0 : 1 }),
    toFile: ({ id, name, origin, scopes, status }) => ({ id, name, origin, scopes, status }),
  },

  issuers: {
    noun: "issuer",
    table: "issuers",
    shape: () => ISSUER_SHAPE,
    cost: KEYS_COST,
    unique: [{ at: ["issuer"], valueOf: ({ issuer }) => issuer }],
    keyOf: ({ issuer }) => issuer,
    nameOf: ({ issuer }) => issuer,
    isWhole: true,
    touchesOrg: true,
    read: readIssuers,
    build: ({ value: { issuer, audience, keys, types } }, before) => ({
      issuer,
      audience,
      keys,
      types: types ?? before?.types ?? [...TOKEN_TYPES],
    }),
    write: writeTo("issuers", fromIssuer),
    describe: describeIssuer,
    quotas: [],
    measure: () => ({}),
    toFile: ({ id, issuer, audience, keys, types }) => ({ id, issuer, audience, keys, types }),
  },

  users: {
    noun: "user",
    table: "users",
    shape: () => USER_SHAPE,
    cost: CHECK_COST,
    unique: [{ at: ["profile", "login"], valueOf: loginOf }],
    keyOf: loginOf,
    nameOf: ({ profile }) => profile.login,
    isWhole: false,
    touchesOrg: false,
    read: readUsers,
    readWanted(transaction, orgId, wanted, onBytes) {
      const named = wanted.map(({ value: { id, profile } }) => ({ id, login: profile.login }));
      return findUsers(transaction, orgId, named, onBytes);
    },
    build: (located, before, { now, report }) => buildUser(located, before, now, report),
    write: writeTo("users", fromUser),
    describe: describeUserChange,
    quotas: ["users", "userBytes"],
    measure: (record, before) => ({
      users: before ? 0 : 1,
      userBytes: measureGrowth("users", fromUser, record, before),
    }),
    toFile: ({ id, status, profile }) => ({ id, status, profile }),
    hide: ({ hideUser }) => hideUser,
  },

  rules: {
    noun: "rule",
    table: "rules",
    shape: ({ rule }) => rule,
    cost: CHECK_COST,
    unique: [{ at: ["name"], valueOf: nameOf }],
    keyOf: nameOf,
    nameOf,
    isWhole: false,
    touchesOrg: true,
    read: (db, orgId) => readRules(db, orgId),
    readWanted: async ({ db }, orgId, wanted) => (wanted.length > 0 ? readRules(db, orgId) : []),
    build: (located, before, { report, references }) => buildRule(located, before, references(), report),
    place: orderRules,
    write: writeRules,
    describe: (event, rule, _before, policyId) => withPolicy(describeRule(event, rule), policyId),
    quotas: ["rules", "ruleBytes", "patterns", "patternBytes", "dynamicRules"],
    measure: measureRule,
    toFile: exportRule,
    hide: ({ hideRule }) => hideRule,
  },

  routingTests: {
    noun: "routing test",
    table: "routing_tests",
    shape: ({ provider }) => createFileTestShape(provider),
    cost: CHECK_COST,
    unique: [{ at: ["name"], valueOf: nameOf }],
    keyOf: nameOf,
    nameOf,
    isWhole: false,
    touchesOrg: false,
    read: readRoutingTests,
    build: (located, before, { report, references }) => buildTest(located, before, references(), report),
    write: writeTo("routing_tests", fromRoutingTest),
    describe: (event, test, _before, policyId) => withPolicy(describeRoutingTest(event, test), policyId),
    quotas: ["routingTests"],
    measure: (_record, before) => ({ routingTests: before ? 0 : 1 }),
    toFile: exportTest,
    hide: ({ hideTest }) => hideTest,
  },
};

export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** What an import counts, in the order of its report. */
export const RECORD_KINDS = [
  "orgs",
  "idps",
  "zones",
  "trustedOrigins",
  "issuers",
  "rules",
  "routingTests",
  "users",
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The kinds of records that administrators of an org manage. */
export const MANAGED_KINDS = ["idps", "zones", "trustedOrigins", "rules", "routingTests", "users"] as const;
export type ManagedKind = (typeof MANAGED_KINDS)[number];

export function isManaged(kind: KindName): kind is ManagedKind {
  return (MANAGED_KINDS as readonly KindName[]).includes(kind);
}

/** Something for each kind. */
export function mapKinds<T extends Record<KindName, unknown>>(map: <K extends KindName>(name: K) => T[K]): T {
  return Object.fromEntries(KIND_NAMES.map((name) => [name, map(name)])) as T;
}

/** Report origins that the org already trusts under a name that is not in the file. */
function reportTakenOrigins(
  wanted: Readonly<FileLists["trustedOrigins"]>,
  stored: Readonly<Stored["trustedOrigins"]>,
  report: Report,
): void {
  const named = new Set(wanted.map(({ value }) => value.name));
  const owners = new Map(stored.filter(({ name }) => !named.has(name)).map(({ origin, name }) => [origin, name]));
  for (const { path, value } of wanted) {
    const owner = owners.get(value.origin);
    if (owner !== undefined) report([...path, "origin"], `is that of ${excerpt(owner)} already`);
  }
}

/** The event of a record of the policy. */
function withPolicy({ target, ...event }: AuditEvent, policyId: string): AuditEvent {
  return { ...event, target: [...target, toLogEntity({ id: policyId, name: POLICY_NAME }, "Policy")] };
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function loginOf({ profile }: { profile: { login: string } }): string {
  return foldLogin(profile.login);
}
