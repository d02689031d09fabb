import type { Kysely, Transaction } from "kysely";

/*
 * The tables. Every key begins with the org, so that the tables can be distributed by it; `orgs` and `org_domains`, with
 * which a host name is turned into an org, are small and would be copied to every node. Dates, flags and documents are
 * text, numbers and JSON text on both engines, so that a row reads the same on either. There are no booleans: bound to a
 * statement, one ends the process in libsql.
 */

export interface OrgRow {
  id: string;
  subdomain: string;
  name: string;
  /** The org's one discovery policy. */
  policy_id: string;
  /** Grows with every transaction that changes what routing depends on. */
  revision: number;
  created: string;
  last_updated: string;
}

export interface OrgDomainRow {
  org_id: string;
  domain: string;
  /** From 0, in the order of the org record. */
  position: number;
}

export interface IdpRow {
  org_id: string;
  id: string;
  name: string;
  type: string;
  status: string;
  /** JSON */
  protocol: string;
  created: string;
  last_updated: string;
}

export interface ZoneRow {
  org_id: string;
  id: string;
  name: string;
  status: string;
  /** JSON */
  gateways: string;
  /** JSON */
  proxies: string;
  created: string;
  last_updated: string;
}

export interface RuleRow {
  org_id: string;
  id: string;
  name: string;
  /** From 1 without gaps; negative only inside a transaction that reorders. */
  priority: number;
  status: string;
  /** 0 or 1 */
  system: number;
  /** JSON */
  conditions: string;
  /** JSON */
  actions: string;
  /** Sorts the rules of an org but the default one as `priority` does, and stays when other rules come and go. */
  position: number;
  created: string;
  last_updated: string;
}

export interface UserRow {
  org_id: string;
  id: string;
  /** `profile.login` in lower case: a login is one whatever its case. */
  login: string;
  status: string;
  created: string;
  activated: string | null;
  status_changed: string | null;
  last_login: string | null;
  last_updated: string;
  /** JSON */
  profile: string;
  /** From 1; grows with every change that has a meaning, which an entity tag tells. */
  revision: number;
  /** Members of the profile as they are, for indexes. */
  profile_login: string;
  email: string;
  first_name: string;
  last_name: string;
}

export interface TrustedOriginRow {
  org_id: string;
  id: string;
  name: string;
  /** Scheme, host and port as browsers send them. */
  origin: string;
  /** JSON */
  scopes: string;
  status: string;
  created: string;
  last_updated: string;
}

export interface ApiTokenRow {
  org_id: string;
  id: string;
  name: string;
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  /** JSON, without the namespace: `users.manage` */
  scopes: string;
  expires: string | null;
  created: string;
  last_updated: string;
}

/** An authorization server whose access tokens the org accepts. */
export interface IssuerRow {
  org_id: string;
  id: string;
  issuer: string;
  audience: string;
  /** JSON: the key set, or the URL of one. */
  keys: string;
  created: string;
  last_updated: string;
}

/** Where the log of an org ends. Whoever appends holds this row until the transaction ends. */
export interface LogHeadRow {
  org_id: string;
  sequence: number;
  published: string;
}

/** On PostgreSQL partitioned by `published`. */
export interface LogEventRow {
  org_id: string;
  /** From 1, in the order in which the events of the org were committed. */
  sequence: number;
  /** Never earlier than that of the event before. */
  published: string;
  uuid: string;
  event_type: string;
  severity: string;
  request_id: string;
  /** What `q` is looked for in: lower case. */
  search_text: string;
  /** JSON, without `uuid` and `published`. */
  event: string;
}

export interface Tables {
  api_tokens: ApiTokenRow;
  issuers: IssuerRow;
  log_events: LogEventRow;
  log_heads: LogHeadRow;
  trusted_origins: TrustedOriginRow;
  orgs: OrgRow;
  org_domains: OrgDomainRow;
  idps: IdpRow;
  zones: ZoneRow;
  rules: RuleRow;
  users: UserRow;
}

export type Db = Kysely<Tables>;
export type DbTransaction = Transaction<Tables>;
