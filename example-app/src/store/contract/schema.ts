import type { Kysely, Transaction } from "kysely";
import type { QuotaName } from "../../model/quotas.js";
import type { Idp, Org, Status, TokenCreator, User } from "../../model/records.js";
import type {
  DecisionCountRow,
  LogEntryRow,
  LogEventRow,
  LogHeadRow,
  RevisionChangeRow,
  RevisionRow,
  RoutingDecisionRow,
} from "./log-schema.js";

/*
 * The tables. Every key begins with the org, so that tables can be distributed by it. `orgs` and `org_domains`, which
 * map a host name to an org, are small and would be copied to every node. Both engines store dates as text, flags as
 * numbers and documents as JSON text, so that they return the same rows. There are no booleans: binding one to a
 * statement ends the process in libsql.
 */

export interface OrgRow {
  id: string;
  subdomain: string;
  name: string;
  status: Org["status"];
  /** The org's one discovery policy. */
  policy_id: string;
  /** JSON */
  rate_limits: string;
  sign_in_url: string | null;
  /** `null` for the default. */
  when_profile_unavailable: string | null;
  created: string;
  last_updated: string;
}

/** Not in the org's own row, of which every node of a cluster has a copy to write. */
interface OrgRevisionRow {
  org_id: string;
  /** Grows with every transaction that changes data which routing depends on. */
  revision: number;
}

/** How much of a quota an org uses. There is no row before the first use. */
interface OrgUsageRow {
  org_id: string;
  quota: QuotaName;
  used: number;
}

interface OrgDomainRow {
  org_id: string;
  domain: string;
  /** From 0, in the order of the org's record. */
  position: number;
}

/** The columns of every table of an org's records. */
export interface RecordRow {
  org_id: string;
  id: string;
  created: string;
  last_updated: string;
}

export interface IdpRow extends RecordRow {
  name: string;
  type: Idp["type"];
  status: Status;
  /** JSON */
  protocol: string;
  /** JSON: the state of the metadata of a provider that has its address. */
  metadata: string | null;
  /** A copy of its `due`, for an index. */
  metadata_due: string | null;
  /** `null` since the record was written, until the job has read it; {@link NEVER_EXPIRES} without a certificate. */
  certificate_expires: string | null;
  /** The time of which the job has warned. Only the job writes it. */
  certificate_warned?: string | null;
}

/** What routing needs of an identity provider. */
export interface RoutedIdpRow extends Pick<IdpRow, "id" | "type" | "name" | "status"> {
  /** `null` where it can't be OpenID Connect. */
  protocol: string | null;
}

export interface ZoneRow extends RecordRow {
  name: string;
  status: Status;
  /** JSON */
  gateways: string;
  /** JSON */
  proxies: string;
}

export interface RuleRow extends RecordRow {
  name: string;
  /** From 1 without gaps; negative only inside a transaction that reorders. */
  priority: number;
  status: Status;
  /** 0 or 1 */
  system: number;
  /** JSON */
  conditions: string;
  /** JSON */
  actions: string;
  /**
   * Sorts the rules of an org, except the default one, like `priority`. Doesn't change when other rules are added or
   * removed.
   */
  position: number;
}

export interface UserRow extends RecordRow {
  /** `profile.login` in lower case, because logins are case-insensitive. */
  login: string;
  status: User["status"];
  activated: string | null;
  status_changed: string | null;
  last_login: string | null;
  /** JSON */
  profile: string;
  /** From 1; grows with every meaningful change. Entity tags are made from it. */
  revision: number;
  /** Copies of profile members, for indexes. */
  profile_login: string;
  email: string;
  first_name: string;
  last_name: string;
  /** What `user_words` has of the user, sorted, each between spaces; see `wordsOf`. */
  words: string | null;
  /** The revision that they are of. An older version of the server changes the other columns alone. */
  words_revision: number | null;
}

/** A word of a user. It counts if the row of the user has it too: an older version of the server leaves some behind. */
interface UserWordRow {
  org_id: string;
  word: string;
  user_id: string;
}

export type ListedColumn = Exclude<keyof UserRow, "org_id" | "words" | "words_revision">;

/** A user in a list. Of the copies of profile members it has those by which the list is sorted. */
export interface ListedUserRow extends Pick<UserRow, ListedColumn> {
  /** In a list by words, the first word that begins with the longest one that is wanted. */
  matched?: string;
}

export interface TrustedOriginRow extends RecordRow {
  name: string;
  /** Scheme, host and port as browsers send them. */
  origin: string;
  /** JSON */
  scopes: string;
  status: Status;
}

/** A test of routing. */
export interface RoutingTestRow extends RecordRow {
  name: string;
  login: string;
  client_ip: string | null;
  zone_id: string | null;
  user_agent: string | null;
  /** JSON */
  expected: string;
}

export interface ApiTokenRow extends RecordRow {
  name: string;
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  /** JSON, without the namespace: `users.manage` */
  scopes: string;
  expires: string | null;
  /** The secret before the last rotation. */
  previous_hash: string | null;
  previous_expires: string | null;
  /** JSON */
  addresses: string;
  creator_type: TokenCreator["type"] | null;
  creator_id: string | null;
  last_used: string | null;
}

/** A link that signs in to the console once. */
interface ConsoleLinkRow {
  org_id: string;
  /** SHA-256 of the code, hexadecimal. */
  hash: string;
  expires: string;
}

export interface ConsoleSessionRow {
  org_id: string;
  /** SHA-256 of the secret in the cookie, hexadecimal. */
  hash: string;
  token_id: string;
  /** The `hash` or `previous_hash` of the token. */
  token_hash: string;
  created: string;
  last_used: string;
}

/** A request that is carried out once. */
interface IdempotencyKeyRow {
  org_id: string;
  /** Hashes of who made the request, and of the key. */
  key: string;
  /** Encrypted; see `createIdempotency`. */
  value: string;
  /** What it counts, in bytes. */
  size: number;
  expires: string;
}

/** Work that one process at a time does. */
interface LeaseRow {
  name: string;
  /** The process that does it. */
  holder: string;
  expires: string;
}

/** An authorization server whose access tokens the org accepts. */
export interface IssuerRow extends RecordRow {
  issuer: string;
  audience: string;
  /** JSON: the key set, or the URL of one. */
  keys: string;
  /** JSON: the accepted `typ` of tokens. */
  types: string;
}

export interface Tables {
  api_tokens: ApiTokenRow;
  console_links: ConsoleLinkRow;
  console_sessions: ConsoleSessionRow;
  decision_counts: DecisionCountRow;
  idempotency_keys: IdempotencyKeyRow;
  issuers: IssuerRow;
  leases: LeaseRow;
  /** The view that filters read: `log_events` with a column for each attribute that facts and decisions have. */
  log_entries: LogEntryRow;
  log_events: LogEventRow;
  log_heads: LogHeadRow;
  trusted_origins: TrustedOriginRow;
  orgs: OrgRow;
  routing_decisions: RoutingDecisionRow;
  routing_tests: RoutingTestRow;
  org_revisions: OrgRevisionRow;
  revisions: RevisionRow;
  revision_changes: RevisionChangeRow;
  org_usage: OrgUsageRow;
  org_domains: OrgDomainRow;
  idps: IdpRow;
  zones: ZoneRow;
  rules: RuleRow;
  users: UserRow;
  user_words: UserWordRow;
}

export type Db = Kysely<Tables>;
export type DbTransaction = Transaction<Tables>;
