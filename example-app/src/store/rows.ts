import type {
  ApiToken,
  Idp,
  Issuer,
  Org,
  Policy,
  Rule,
  RuleActions,
  RuleConditions,
  TrustedOrigin,
  User,
  Zone,
} from "../model/records.js";
import type { ApiTokenRow, IdpRow, IssuerRow, OrgRow, RuleRow, TrustedOriginRow, UserRow, ZoneRow } from "./schema.js";

/*
 * Converts rows to records and back. Only this folder writes these columns, so the values read are not validated again.
 */

export function toOrg(row: OrgRow, domains: string[]): Org {
  return {
    id: row.id,
    subdomain: row.subdomain,
    name: row.name,
    domains,
    created: row.created,
    lastUpdated: row.last_updated,
  };
}

/** Only the id differs between policies; the rest is the same in every org and never changes. */
export function toPolicy(row: OrgRow): Policy {
  return {
    id: row.policy_id,
    type: "IDP_DISCOVERY",
    name: "Idp Discovery Policy",
    status: "ACTIVE",
    system: true,
    priority: 1,
    conditions: null,
    created: row.created,
    lastUpdated: row.created,
  };
}

export function toIdp(row: IdpRow): Idp {
  return {
    id: row.id,
    type: row.type as Idp["type"],
    name: row.name,
    status: row.status as Idp["status"],
    protocol: JSON.parse(row.protocol) as Idp["protocol"],
    created: row.created,
    lastUpdated: row.last_updated,
  };
}

export function fromIdp(orgId: string, idp: Idp): IdpRow {
  return {
    org_id: orgId,
    id: idp.id,
    name: idp.name,
    type: idp.type,
    status: idp.status,
    protocol: JSON.stringify(idp.protocol),
    created: idp.created,
    last_updated: idp.lastUpdated,
  };
}

export function toZone(row: ZoneRow): Zone {
  return {
    id: row.id,
    type: "IP",
    name: row.name,
    status: row.status as Zone["status"],
    gateways: JSON.parse(row.gateways) as Zone["gateways"],
    proxies: JSON.parse(row.proxies) as Zone["proxies"],
    created: row.created,
    lastUpdated: row.last_updated,
  };
}

export function fromZone(orgId: string, zone: Zone): ZoneRow {
  return {
    org_id: orgId,
    id: zone.id,
    name: zone.name,
    status: zone.status,
    gateways: JSON.stringify(zone.gateways),
    proxies: JSON.stringify(zone.proxies),
    created: zone.created,
    last_updated: zone.lastUpdated,
  };
}

export function toRule(row: RuleRow): Rule {
  return {
    id: row.id,
    name: row.name,
    priority: row.priority,
    status: row.status as Rule["status"],
    system: row.system === 1,
    conditions: JSON.parse(row.conditions) as RuleConditions,
    actions: JSON.parse(row.actions) as RuleActions,
    created: row.created,
    lastUpdated: row.last_updated,
  };
}

export function fromRule(orgId: string, rule: Rule, position: number = rule.priority): RuleRow {
  return {
    org_id: orgId,
    id: rule.id,
    name: rule.name,
    priority: rule.priority,
    status: rule.status,
    system: rule.system ? 1 : 0,
    conditions: JSON.stringify(rule.conditions),
    actions: JSON.stringify(rule.actions),
    position,
    created: rule.created,
    last_updated: rule.lastUpdated,
  };
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    status: row.status as User["status"],
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
    org_id: orgId,
    id: user.id,
    login: foldLogin(login),
    status: user.status,
    created: user.created,
    activated: user.activated,
    status_changed: user.statusChanged,
    last_login: user.lastLogin,
    last_updated: user.lastUpdated,
    profile: JSON.stringify(user.profile),
    revision,
    profile_login: login,
    email,
    first_name: firstName,
    last_name: lastName,
  };
}

export function toTrustedOrigin(row: TrustedOriginRow): TrustedOrigin {
  return {
    id: row.id,
    name: row.name,
    origin: row.origin,
    scopes: JSON.parse(row.scopes) as TrustedOrigin["scopes"],
    status: row.status as TrustedOrigin["status"],
    created: row.created,
    lastUpdated: row.last_updated,
  };
}

export function fromTrustedOrigin(orgId: string, origin: TrustedOrigin): TrustedOriginRow {
  return {
    org_id: orgId,
    id: origin.id,
    name: origin.name,
    origin: origin.origin,
    scopes: JSON.stringify(origin.scopes),
    status: origin.status,
    created: origin.created,
    last_updated: origin.lastUpdated,
  };
}

/** The form in which logins are compared. */
export function foldLogin(login: string): string {
  return login.toLowerCase();
}

export function toApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as string[],
    expiresAt: row.expires,
    created: row.created,
    lastUpdated: row.last_updated,
  };
}

export function toIssuer(row: IssuerRow): Issuer {
  return {
    id: row.id,
    issuer: row.issuer,
    audience: row.audience,
    keys: JSON.parse(row.keys) as Issuer["keys"],
    created: row.created,
    lastUpdated: row.last_updated,
  };
}

export function fromIssuer(orgId: string, issuer: Issuer): IssuerRow {
  return {
    org_id: orgId,
    id: issuer.id,
    issuer: issuer.issuer,
    audience: issuer.audience,
    keys: JSON.stringify(issuer.keys),
    created: issuer.created,
    last_updated: issuer.lastUpdated,
  };
}
