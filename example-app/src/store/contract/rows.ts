import { parseJson } from "etiquette/parse-json";
import { userWords } from "../../model/words.js";
import { PROFILE_POLICIES, type ProfilePolicy } from "../../model/profile-policies.js";
import type {
  Idp,
  Issuer,
  Org,
  Policy,
  RoutedIdp,
  RoutingTest,
  Rule,
  Stamped,
  TrustedOrigin,
  User,
  Zone,
} from "../../model/records.js";
import type {
  IdpRow,
  IssuerRow,
  ListedUserRow,
  OrgRow,
  RecordRow,
  RoutedIdpRow,
  RoutingTestRow,
  RuleRow,
  TrustedOriginRow,
  UserRow,
  ZoneRow,
} from "./schema.js";

/*
 * Converts rows to records and back. Only this folder writes these columns, so the values read are not validated again.
 */

/** The columns that every table of records has. */
export function keyColumns(orgId: string, { id, created, lastUpdated }: Stamped & { readonly id: string }): RecordRow {
  return { org_id: orgId, id, created, last_updated: lastUpdated };
}

export function toOrg(row: OrgRow, domains: string[]): Org {
  const { id, subdomain, name, status, sign_in_url: signInUrl, created, last_updated: lastUpdated } = row;
  const rateLimits = JSON.parse(row.rate_limits) as Org["rateLimits"];
  const whenProfileUnavailable = toProfilePolicy(row.when_profile_unavailable);
  return { id, subdomain, name, status, domains, rateLimits, signInUrl, whenProfileUnavailable, created, lastUpdated };
}

/** What a policy without a value does, and one with a value of a newer server. */
export function toProfilePolicy(stored: string | null): ProfilePolicy {
  return PROFILE_POLICIES.find((value) => value === stored) ?? "UNAVAILABLE";
}

export const POLICY_NAME = "Idp Discovery Policy";

/** It is stored in the row of the org, and so is when that was last changed. */
export function toPolicy(row: OrgRow): Policy {
  const { policy_id: id, created, last_updated: lastUpdated } = row;
  return {
    id,
    type: "IDP_DISCOVERY",
    name: POLICY_NAME,
    status: "ACTIVE",
    system: true,
    priority: 1,
    conditions: null,
    whenProfileUnavailable: toProfilePolicy(row.when_profile_unavailable),
    created,
    lastUpdated,
  };
}

export function toIdp(row: IdpRow): Idp {
  const { id, type, name, status, created, last_updated: lastUpdated } = row;
  const protocol = JSON.parse(row.protocol) as Idp["protocol"];
  const metadata = row.metadata === null ? null : (JSON.parse(row.metadata) as Idp["metadata"]);
  return { id, type, name, status, protocol, metadata, created, lastUpdated };
}

export function toRoutedIdp({ protocol, ...row }: RoutedIdpRow): RoutedIdp {
  return { ...row, issuer: issuerOf(JSON.parse(protocol ?? "{}") as Partial<Idp["protocol"]>) };
}

/** The issuer of an OpenID Provider. */
export function issuerOf({ type, credentials }: Partial<Idp["protocol"]>): string | undefined {
  return type === "OIDC" ? credentials?.trust?.issuer : undefined;
}

export function fromIdp(orgId: string, idp: Idp): IdpRow {
  const { name, type, status, protocol, metadata } = idp;
  return {
    ...keyColumns(orgId, idp),
    name,
    type,
    status,
    protocol: JSON.stringify(protocol),
    metadata: metadata && JSON.stringify(metadata),
    metadata_due: metadata?.due ?? null,
    certificate_expires: null,
  };
}

export function toZone(row: ZoneRow): Zone {
  const { id, name, status, created, last_updated: lastUpdated } = row;
  const gateways = JSON.parse(row.gateways) as Zone["gateways"];
  const proxies = JSON.parse(row.proxies) as Zone["proxies"];
  return { id, type: "IP", name, status, gateways, proxies, created, lastUpdated };
}

export function fromZone(orgId: string, zone: Zone): ZoneRow {
  const { name, status, gateways, proxies } = zone;
  const ranges = { gateways: JSON.stringify(gateways), proxies: JSON.stringify(proxies) };
  return { ...keyColumns(orgId, zone), name, status, ...ranges };
}

export function toRule(row: RuleRow): Rule {
  const { id, name, priority, status, created, last_updated: lastUpdated } = row;
  const conditions = JSON.parse(row.conditions) as Rule["conditions"];
  const actions = JSON.parse(row.actions) as Rule["actions"];
  return { id, name, priority, status, system: row.system === 1, conditions, actions, created, lastUpdated };
}

export function fromRule(orgId: string, rule: Rule, position: number = rule.priority): RuleRow {
  const { name, priority, status } = rule;
  return {
    ...keyColumns(orgId, rule),
    name,
    priority,
    status,
    system: rule.system ? 1 : 0,
    conditions: JSON.stringify(rule.conditions),
    actions: JSON.stringify(rule.actions),
    position,
  };
}

export function toRoutingTest(row: RoutingTestRow): RoutingTest {
  const { id, name, login, client_ip: clientIp, zone_id: zone, user_agent: userAgent } = row;
  return {
    id,
    name,
    login,
    ...(clientIp !== null && { clientIp }),
    ...(zone !== null && { zone }),
    ...(userAgent !== null && { userAgent }),
    expected: JSON.parse(row.expected) as RoutingTest["expected"],
    created: row.created,
    lastUpdated: row.last_updated,
  };
}

export function fromRoutingTest(orgId: string, test: RoutingTest): RoutingTestRow {
  const { name, login, clientIp = null, zone = null, userAgent = null, expected } = test;
  return {
    ...keyColumns(orgId, test),
    name,
    login,
    client_ip: clientIp,
    zone_id: zone,
    user_agent: userAgent,
    expected: JSON.stringify(expected),
  };
}

export function toUser(row: ListedUserRow): User {
  return {
    id: row.id,
    status: row.status,
    created: row.created,
    activated: row.activated,
    statusChanged: row.status_changed,
    lastLogin: row.last_login,
    lastUpdated: row.last_updated,
    profile: JSON.parse(row.profile) as User["profile"],
  };
}

export function fromUser(orgId: string, user: User, revision = 1): UserRow {
  const { login, email, firstName, lastName } = user.profile;
  return {
    ...keyColumns(orgId, user),
    login: foldLogin(login),
    status: user.status,
    activated: user.activated,
    status_changed: user.statusChanged,
    last_login: user.lastLogin,
    profile: JSON.stringify(user.profile),
    revision,
    profile_login: login,
    email,
    first_name: firstName,
    last_name: lastName,
    words: joinWords(userWords(user.profile)),
    words_revision: revision,
  };
}

/** The stored form of the words of a user: ` ann adams `. */
function joinWords(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}

export function splitWords(stored: string | null): string[] {
  return stored?.split(" ").filter((word) => word !== "") ?? [];
}

/** The form in which logins are compared. */
export function foldLogin(login: string): string {
  return login.toLowerCase();
}

export function toTrustedOrigin(row: TrustedOriginRow): TrustedOrigin {
  const { id, name, origin, status, created, last_updated: lastUpdated } = row;
  const scopes = JSON.parse(row.scopes) as TrustedOrigin["scopes"];
  return { id, name, origin, scopes, status, created, lastUpdated };
}

export function fromTrustedOrigin(orgId: string, record: TrustedOrigin): TrustedOriginRow {
  const { name, origin, scopes, status } = record;
  return { ...keyColumns(orgId, record), name, origin, scopes: JSON.stringify(scopes), status };
}

export function toIssuer(row: IssuerRow): Issuer {
  const { id, issuer, audience, created, last_updated: lastUpdated } = row;
  const keys = parseJson(row.keys) as Issuer["keys"];
  return { id, issuer, audience, keys, types: JSON.parse(row.types) as string[], created, lastUpdated };
}

export function fromIssuer(orgId: string, record: Issuer): IssuerRow {
  const { issuer, audience, keys, types } = record;
  return { ...keyColumns(orgId, record), issuer, audience, keys: JSON.stringify(keys), types: JSON.stringify(types) };
}
