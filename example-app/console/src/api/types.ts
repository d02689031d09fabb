/** The records as the API sends them, as far as the console reads them. */

export type Status = "ACTIVE" | "INACTIVE";

export interface Link {
  href: string;
  method?: string;
  type?: string;
}

export interface ApiRecord {
  id: string;
  _links?: Record<string, Link>;
}

export interface Session {
  org: { id: string; name: string; subdomain: string };
  token: { id: string; name: string; scopes: string[]; expiresAt: string | null };
  lastUsed: string;
  idleSeconds: number;
  baseUrl: string;
  namespace: string;
  accountPrefix: string;
  apiTokenScheme: string;
}

export interface Policy extends ApiRecord {
  name: string;
}

export type MatchType = "SUFFIX" | "EQUALS" | "STARTS_WITH" | "CONTAINS";

export interface Pattern {
  matchType: MatchType;
  value: string;
}

export interface PlatformEntry {
  type: string;
  os?: { type: string };
}

export interface Conditions {
  network?: { connection: "ANYWHERE" | "ZONE"; include?: string[]; exclude?: string[] };
  platform?: { include?: PlatformEntry[]; exclude?: PlatformEntry[] };
  userIdentifier?: { type?: "IDENTIFIER" | "ATTRIBUTE"; attribute?: string; patterns: Pattern[] };
}

export interface Provider {
  type: string;
  id?: string;
}

export type IdpAction =
  | { idpSelectionType?: "SPECIFIC"; providers: Provider[] }
  | { idpSelectionType: "DYNAMIC"; matchCriteria: { propertyName: "name"; providerExpression: string }[] };

export interface Rule extends ApiRecord {
  name: string;
  priority: number;
  status: Status;
  system: boolean;
  conditions: Conditions;
  actions: { idp: IdpAction };
  created: string;
  lastUpdated: string;
}

export interface Idp extends ApiRecord {
  name: string;
  type: string;
  status: Status;
  created: string;
  lastUpdated: string;
  protocol: {
    type: string;
    endpoints: { sso: { url: string; binding: string } };
    credentials?: { trust?: { issuer?: string; audience?: string; certificate?: string } };
  };
}

export interface Zone extends ApiRecord {
  name: string;
  status: Status;
  gateways: { type: string; value: string }[];
  proxies: { type: string; value: string }[];
  created: string;
  lastUpdated: string;
}

export interface TracedCondition {
  condition: "userIdentifier" | "network" | "platform" | "matchCriteria";
  holds: boolean;
  value: unknown;
  attribute?: string;
  pattern?: Pattern;
  provider?: { id: string; type: string; name: string } | null;
}

export interface TracedRule extends ApiRecord {
  name: string;
  priority: number;
  result: "MATCH" | "NO_MATCH" | "SKIPPED";
  reason?: "INACTIVE" | "NO_ACTIVE_PROVIDER";
  conditions: TracedCondition[];
}

export interface JrdLink {
  rel: string;
  href: string;
  titles?: Record<string, string>;
  properties?: Record<string, string>;
}

export interface Trace {
  resource: string;
  login: string;
  client: {
    ipAddress: string | null;
    userAgent: string | null;
    platform: { type: string; os: string };
    zones: { id: string; name: string }[];
  };
  match: TracedRule;
  rules: TracedRule[];
  links: JrdLink[];
}

export interface LogEntity {
  id: string;
  type: string;
  alternateId: string;
  displayName: string;
}

export interface LogEvent {
  uuid: string;
  published: string;
  eventType: string;
  severity: "DEBUG" | "INFO" | "WARN" | "ERROR";
  displayMessage: string;
  actor: LogEntity;
  client: {
    ipAddress: string | null;
    userAgent: { rawUserAgent: string; os: string; browser: string };
    zone: string | null;
  };
  outcome: { result: "SUCCESS" | "FAILURE"; reason: string | null };
  target: LogEntity[] | null;
  debugContext: { debugData: Record<string, string> };
}

export interface ApiToken extends ApiRecord {
  name: string;
  scopes: string[];
  expiresAt: string | null;
  lastUsed: string | null;
  created: string;
  createdBy: { type: string; id: string } | null;
  addresses: string[];
}

export interface User extends ApiRecord {
  status: string;
  created: string;
  activated: string | null;
  statusChanged: string | null;
  lastUpdated: string;
  profile: Record<string, unknown> & { login: string; firstName?: string; lastName?: string; email?: string };
}

export interface TrustedOrigin extends ApiRecord {
  name: string;
  origin: string;
  status: Status;
  scopes: { type: string }[];
  lastUpdated: string;
}
