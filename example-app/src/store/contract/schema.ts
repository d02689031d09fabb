import type { Generated, Kysely, Transaction } from "kysely";
import type { QuotaName } from "../../model/quotas.js";
import type { Idp, Org, Status, TokenCreator, User } from "../../model/records.js";
import type { RevisionSource } from "../../model/revisions.js";
import type { HistoryKind } from "./change-notes.js";

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
  created: string;
  last_updated: string;
}

/** Not in the org's own row, of which every node of a cluster has a copy to write. */
interface OrgRevisionRow {
  org_id: string;
  /** Grows with every transaction that changes data which routing depends on. */
  revision: number;
}

/** A change of an org's routing, see `store/history/`. */
export interface RevisionRow {
  org_id: string;
  /** That of the org after the change. */
  revision: number;
  /** Never earlier than that of the revision before. */
  published: string;
  source: RevisionSource;
  /** The revision whose state came back. */
  restored: number | null;
  request_id: string;
  client_ip: string | null;
  /** JSON */
  actor: string;
  /** How many records changed. */
  change_count: number;
  /** What it counts for the quota, with its changes. */
  size: number;
  /** JSON: the first changes, without what was before. */
  summary: string;
}

/** What was before a record changed. */
export interface RevisionChangeRow {
  org_id: string;
  revision: number;
  /** From 0. */
  place: number;
  kind: HistoryKind;
  object_id: string;
  name: string;
  event: "create" | "update" | "move" | "delete";
  /** Of a rule. */
  priority_before: number | null;
  priority_after: number | null;
  /** JSON; `null` for a record that is new. */
  before: string | null;
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
}

/** A user in a list. */
export interface ListedUserRow extends UserRow {
  /** In a list by name, the least name that matches. */
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

/** The end of an org's log. A transaction that appends locks this row until it ends. */
interface LogHeadRow {
  org_id: string;
  sequence: number;
  published: string;
  /** The day of the last event, in UTC. */
  day: Generated<string>;
  /** The characters of the events of this day. */
  day_size: Generated<number>;
}

/** The place of an event in the log of its org. */
export type LogPlace = Pick<LogHeadRow, "published" | "sequence">;

/** PostgreSQL partitions it by `published`. */
export interface LogEventRow {
  org_id: string;
  /** From 1, in the order in which the org's events were committed. */
  sequence: number;
  /** Never earlier than that of the previous event. */
  published: string;
  uuid: string;
  event_type: string;
  severity: string;
  request_id: string;
  /** The lower-case text that `q` searches; of a request, without what other columns have. */
  search_text: string;
  /** JSON: the event without `uuid` and `published`, or the facts of a request in an array. */
  event: string;
  /** What the routing rules decided for the request. */
  decision_id: string | null;
}

/** An event with what it refers to. */
export interface LogEntryRow extends Omit<LogEventRow, "decision_id"> {
  /** JSON: what the decision adds to the event. */
  decision: string | null;
}

/** What the routing rules decided for requests, once for all events that tell of it. */
interface RoutingDecisionRow {
  org_id: string;
  /** A hash of the ids that the document has. */
  id: string;
  /** JSON */
  document: string;
  /** The day of the last event that refers to it, in UTC. */
  last_used: string;
}

/** How often a rule selected a provider on a day, in UTC. */
export interface DecisionCountRow extends HourCounts {
  org_id: string;
  rule_id: string;
  /** Empty for the org itself. */
  provider_id: string;
  day: string;
  /** The time of the last decision of the day. */
  last: string;
}

/** The decisions of each hour: `h0` to `h23`. */
type HourCounts = Record<`h${number}`, number>;

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
  org_revisions: OrgRevisionRow;
  revisions: RevisionRow;
  revision_changes: RevisionChangeRow;
  org_usage: OrgUsageRow;
  org_domains: OrgDomainRow;
  idps: IdpRow;
  zones: ZoneRow;
  rules: RuleRow;
  users: UserRow;
}

export type Db = Kysely<Tables>;
export type DbTransaction = Transaction<Tables>;
