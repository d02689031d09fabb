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
}

export interface Tables {
  orgs: OrgRow;
  org_domains: OrgDomainRow;
  idps: IdpRow;
  zones: ZoneRow;
  rules: RuleRow;
  users: UserRow;
}

export type Db = Kysely<Tables>;
export type DbTransaction = Transaction<Tables>;
