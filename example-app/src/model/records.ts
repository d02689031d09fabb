/** The records of the server, as stored and (except for `_links`) as sent. */

export type Status = "ACTIVE" | "INACTIVE";

/** When a record was created and last changed, `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
export interface Stamped {
  created: string;
  lastUpdated: string;
}

/** A tenant. */
export interface Org extends Stamped {
  id: string;
  /** Label under the base domain; unique. Also the title of the org in WebFinger. */
  subdomain: string;
  name: string;
  /** Custom domains in lower case, each owned by one org. The first one, if any, is in the org's base URL. */
  domains: string[];
}

export const IDP_TYPES = [
  "SAML2",
  "OIDC",
  "APPLE",
  "FACEBOOK",
  "GITHUB",
  "GITLAB",
  "GOOGLE",
  "LINKEDIN",
  "MICROSOFT",
] as const;
export type IdpType = (typeof IDP_TYPES)[number];

export interface Idp extends Stamped {
  id: string;
  type: IdpType;
  name: string;
  status: Status;
  protocol: IdpProtocol;
}

export interface IdpProtocol {
  type: "SAML2" | "OIDC" | "OAUTH2";
  endpoints: {
    sso: { url: string; binding: "HTTP-POST" | "HTTP-REDIRECT" };
  };
  credentials?: {
    trust?: { issuer?: string; audience?: string; certificate?: string };
    client?: { clientId: string };
  };
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

export interface RuleConditions {
  network?: NetworkCondition;
  platform?: PlatformCondition;
  userIdentifier?: UserIdentifierCondition;
}

/** Means all zones in a rule. */
export const ALL_ZONES = "ALL_ZONES";

export interface NetworkCondition {
  connection: "ANYWHERE" | "ZONE";
  /** Zone ids or {@link ALL_ZONES}. */
  include?: string[];
  exclude?: string[];
}

export const PLATFORM_TYPES = ["ANY", "DESKTOP", "MOBILE", "OTHER"] as const;
export const OS_TYPES = ["ANY", "ANDROID", "IOS", "OSX", "WINDOWS", "LINUX", "CHROMEOS", "OTHER"] as const;

export interface Platform {
  type: (typeof PLATFORM_TYPES)[number];
  os?: { type: (typeof OS_TYPES)[number] };
}

export interface PlatformCondition {
  include?: Platform[];
  exclude?: Platform[];
}

export const MATCH_TYPES = ["SUFFIX", "EQUALS", "STARTS_WITH", "CONTAINS"] as const;

export interface IdentifierPattern {
  matchType: (typeof MATCH_TYPES)[number];
  value: string;
}

/**
 * Any of several patterns must match; without patterns the condition holds for everyone. `ATTRIBUTE` takes one pattern
 * and the name of a profile attribute.
 */
export interface UserIdentifierCondition {
  type: "IDENTIFIER" | "ATTRIBUTE";
  attribute?: string;
  patterns: IdentifierPattern[];
}

export interface RuleActions {
  idp: {
    /** At most ten, in order of preference. The type of the org itself (`SVC`) has no id. */
    providers: { type: string; id?: string }[];
    idpSelectionType: "SPECIFIC";
  };
}

export interface ZoneRange {
  type: "CIDR" | "RANGE";
  value: string;
}

export interface Zone extends Stamped {
  id: string;
  type: "IP";
  name: string;
  status: Status;
  /** At most 150. */
  gateways: ZoneRange[];
  /** At most 150; these are the org's trusted proxies. */
  proxies: ZoneRange[];
}

export const USER_STATUSES = [
  "STAGED",
  "PROVISIONED",
  "ACTIVE",
  "RECOVERY",
  "PASSWORD_EXPIRED",
  "LOCKED_OUT",
  "SUSPENDED",
  "DEPROVISIONED",
] as const;

export type ProfileValue = string | number | boolean | string[] | number[];

export interface User extends Stamped {
  id: string;
  status: (typeof USER_STATUSES)[number];
  activated: string | null;
  statusChanged: string | null;
  lastLogin: string | null;
  profile: { login: string; email: string; firstName: string; lastName: string } & Record<string, ProfileValue>;
}

export const ORIGIN_SCOPES = ["CORS", "REDIRECT"] as const;

/** An origin whose pages may call the API. */
export interface TrustedOrigin extends Stamped {
  id: string;
  name: string;
  origin: string;
  scopes: { type: (typeof ORIGIN_SCOPES)[number] }[];
  status: Status;
}

/** A credential for the API. Its secret is not stored. */
export interface ApiToken extends Stamped {
  id: string;
  name: string;
  /** Without the namespace: `users.manage`. */
  scopes: string[];
  expiresAt: string | null;
}

/** An authorization server whose access tokens the org accepts. */
export interface Issuer extends Stamped {
  id: string;
  issuer: string;
  audience: string;
  /** A key set, or the URL of one. */
  keys: { keys: object[] } | string;
}

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
  };
  outcome: { result: "SUCCESS" | "FAILURE"; reason: string | null };
  target: LogEntity[] | null;
  transaction: { type: "WEB"; id: string; detail: Record<string, never> };
  debugContext: { debugData: { requestId: string; requestUri: string; url: string } & Record<string, string> };
  authenticationContext: Record<string, never>;
  securityContext: Record<string, never>;
  request: { ipChain: { ip: string; geographicalContext: null; version: "V4" | "V6"; source: string | null }[] };
}
