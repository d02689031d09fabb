import type { ProfilePolicy } from "./profile-policies.js";
import type { RateLimits } from "./rate-limits.js";
import type { FileRule } from "./rule-shapes.js";
import type { FileIdp, FileZone } from "./shapes.js";
import type { FileIssuer, FileTrustedOrigin } from "./trust-shapes.js";
import type { FileUser } from "./user-shapes.js";

/** The records of the server, as stored and (except for `_links`) as sent. Their shapes say which values they have. */

export type Status = Idp["status"];

/** When a record was created and last changed, `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
export interface Stamped {
  created: string;
  lastUpdated: string;
}

/** A tenant. */
export interface Org extends Stamped {
  id: string;
  /** Label under the base domain; unique. */
  subdomain: string;
  /** Also the title of the org in WebFinger. */
  name: string;
  /** Only an ACTIVE org is served. One that is REMOVING loses its data, batch by batch. */
  status: "ACTIVE" | "SUSPENDED" | "REMOVING";
  /** Custom domains in lower case, each owned by one org. The first one, if any, is in the org's base URL. */
  domains: string[];
  /** Limits of the org's own, instead of those of the service. */
  rateLimits: Partial<RateLimits>;
  /** Where the org itself signs people in; `null` if nowhere. */
  signInUrl: string | null;
  /** What its policy does with a rule that needs a profile which can't be read. */
  whenProfileUnavailable: ProfilePolicy;
}

export interface Idp extends Stamped, Required<FileIdp> {
  /** `null` without a metadata address. */
  metadata: MetadataState | null;
}

/** What the server knows of the metadata of an identity provider, which it fetches from `protocol.metadata.url`. */
export interface MetadataState {
  /** When it was last fetched and had no fault, `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
  readonly lastRefreshed: string | null;
  /** Why the last attempt failed. */
  readonly lastError: string | null;
  /** When it is fetched next. */
  readonly due: string;
  /** How many attempts in a row have failed. */
  readonly failures: number;
  /** What the host said of the last version, RFC 9110 section 8.8. */
  readonly validators: Validators;
}

interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** What routing needs of an IdP. */
export interface RoutedIdp extends Pick<Idp, "id" | "type" | "name" | "status"> {
  /** Of an OpenID Provider, as stored. */
  readonly issuer?: string | undefined;
}

/** The org's only IdP discovery policy, which contains its rules. */
export interface Policy extends Stamped {
  id: string;
  type: "IDP_DISCOVERY";
  name: string;
  status: "ACTIVE";
  system: true;
  priority: 1;
  conditions: null;
  whenProfileUnavailable: ProfilePolicy;
}

/** One rule of the org's discovery policy. Rules are tried by ascending `priority`; the system rule comes last. */
export interface Rule extends Stamped {
  id: string;
  name: string;
  priority: number;
  status: Status;
  /** The default rule: no conditions, can't be deleted or deactivated. */
  system: boolean;
  conditions: RuleConditions;
  actions: RuleActions;
}

/** What an administrator expects of routing. What it refers to may be gone; then it fails. */
export interface RoutingTest extends Stamped {
  id: string;
  name: string;
  login: string;
  clientIp?: string;
  /** The id of the zone of the client. */
  zone?: string;
  userAgent?: string;
  expected: {
    /** The first provider of the answer. The type of the org itself (`SVC`) has no id. */
    provider?: RuleProvider;
    /** The id of the rule of the answer. */
    rule?: string;
  };
}

export type RuleConditions = NonNullable<FileRule["conditions"]>;
export type NetworkCondition = NonNullable<RuleConditions["network"]>;
export type PlatformCondition = NonNullable<RuleConditions["platform"]>;
export type PlatformEntry = NonNullable<PlatformCondition["include"]>[number];
export type UserIdentifierCondition = NonNullable<RuleConditions["userIdentifier"]>;

export interface RuleActions {
  idp: SpecificProviders | DynamicProvider;
}

/** A provider as rules name it. */
export interface RuleProvider {
  type: string;
  id?: string;
}

interface SpecificProviders {
  /** At most ten, in order of preference. The type of the org itself (`SVC`) has no id. */
  providers: RuleProvider[];
  idpSelectionType: "SPECIFIC";
}

/** The active provider whose name is the value of an expression. */
export type DynamicProvider = Extract<FileRule["actions"]["idp"], { idpSelectionType: "DYNAMIC" }>;

/** The proxies are the org's trusted proxies. */
export interface Zone extends Stamped, Required<FileZone> {
  type: "IP";
}

export interface User extends Stamped, Required<FileUser> {
  activated: string | null;
  statusChanged: string | null;
  lastLogin: string | null;
}

export type TrustedOrigin = Stamped & Required<FileTrustedOrigin>;

/** A credential for the API. Its secret is not stored. */
export interface ApiToken extends Stamped {
  id: string;
  name: string;
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  /** The secret before the last rotation, which is valid too until it expires. */
  previous: { hash: string; expiresAt: string } | null;
  /** Without the namespace: `users.manage`. */
  scopes: string[];
  expiresAt: string | null;
  /** Addresses and ranges from which it may be used; empty for everywhere. */
  addresses: string[];
  /** `null` if that was not recorded yet. */
  createdBy: TokenCreator | null;
  /** The date of the last use, up to a minute late. */
  lastUsed: string | null;
}

/** A session of the console. */
export interface ConsoleSession {
  readonly id: string;
  readonly token: ApiToken;
  /** The hash of the secret that began the session: the token's, or the one before the last rotation. */
  readonly tokenHash: string;
  /** The date of the last use, up to a minute late. */
  readonly lastUsed: string;
}

/** What made a token. A token that an API token made ends with it. */
export interface TokenCreator {
  type: "AccessToken" | "ApiToken" | "Command";
  /** The id of the API token, the subject of the access token, or the command. */
  id: string;
}

export type Issuer = Stamped & Required<FileIssuer>;

/** The subject of an event. */
export interface LogEntity {
  id: string;
  type: string;
  alternateId: string;
  displayName: string;
  detailEntry: Record<string, unknown> | null;
}

export const SEVERITIES = ["DEBUG", "INFO", "WARN", "ERROR"] as const;

/** An event of the System Log. */
export interface LogEvent {
  uuid: string;
  published: string;
  eventType: string;
  version: "0";
  severity: (typeof SEVERITIES)[number];
  displayMessage: string;
  actor: LogEntity;
  client: {
    userAgent: { rawUserAgent: string; os: string; browser: string };
    /** Name of the zone that contains the address, or `null`. */
    zone: string | null;
    device: "Computer" | "Mobile" | "Tablet" | "Unknown";
    id: string | null;
    ipAddress: string | null;
    geographicalContext: null;
    /** The tags of `Accept-Language`, the preferred one first. */
    languages?: readonly string[];
    /** A hash of the device's fingerprint. */
    deviceFingerprint?: string;
  };
  outcome: { result: "SUCCESS" | "FAILURE"; reason: string | null };
  target: LogEntity[] | null;
  transaction: { type: "WEB" | "JOB"; id: string; detail: Record<string, never> };
  debugContext: { debugData: { requestId: string; requestUri: string; url: string } & Record<string, string> };
  authenticationContext: Record<string, never>;
  securityContext: Record<string, never>;
  request: { ipChain: { ip: string; geographicalContext: null; version: "V4" | "V6"; source: string | null }[] };
}
