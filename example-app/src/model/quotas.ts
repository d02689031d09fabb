import type { Rule, RuleConditions } from "./records.js";

/** What an org may store of each kind. */
export type Quotas = Readonly<Record<QuotaName, number>>;

export type QuotaName = keyof typeof DEFAULT_QUOTAS;

export const DEFAULT_QUOTAS = {
  users: 1_000_000,
  idps: 1_000,
  /** Without the default rule. */
  rules: 10_000,
  zones: 100,
  trustedOrigins: 1_000,
  apiTokens: 1_000,
  /** All of them are run at each change of the routing. */
  routingTests: 1_000,
  /** In the conditions of all rules. */
  patterns: 50_000,
  /** The size of all patterns, in UTF-8. */
  patternBytes: 8_000_000,
  /** The size of all profiles as JSON, in UTF-8 as the following. */
  userBytes: 1_000_000_000,
  /** The size of the `protocol` of all providers. */
  idpBytes: 4_000_000,
  /** The size of the conditions and actions of all rules, without the default rule. */
  ruleBytes: 16_000_000,
  /** The size of the ranges of all zones. */
  zoneBytes: 2_000_000,
  /** Rules that select a provider by its name. WebFinger may come to each of them, and takes a microsecond for it. */
  dynamicRules: 200,
  /** The size of the revisions of rules, providers, zones and trusted origins. Beyond it the oldest go; no change is refused. */
  historyBytes: 64_000_000,
} as const satisfies Record<string, number>;

export const QUOTA_NAMES = Object.keys(DEFAULT_QUOTAS) as QuotaName[];

/** The largest value of a quota. */
export const MAX_QUOTA = 1_000_000_000_000;

const NOUNS: Readonly<Record<QuotaName, string>> = {
  users: "users",
  idps: "identity providers",
  rules: "rules",
  zones: "zones",
  trustedOrigins: "trusted origins",
  apiTokens: "API tokens",
  routingTests: "routing tests",
  patterns: "patterns in its rules",
  patternBytes: "bytes of patterns in its rules",
  userBytes: "bytes of profiles",
  idpBytes: "bytes of identity providers",
  ruleBytes: "bytes of rules",
  zoneBytes: "bytes of zones",
  dynamicRules: "rules that select a provider by its name",
  historyBytes: "bytes of history",
};

/** A quota that a change would exceed. */
export interface Excess {
  readonly quota: QuotaName;
  readonly limit: number;
  /** What the org has before the change, and what it would have. */
  readonly before: number;
  readonly after: number;
}

/** `the org has 1000 zones and would have 1001; at most 1000 are allowed (quota zones)` */
export function describeExcess({ quota, limit, before, after }: Excess): string {
  return `the org has ${before} ${NOUNS[quota]} and would have ${after}; at most ${limit} are allowed (quota ${quota})`;
}

/** How much of the quotas of what rules have a rule takes. */
export function measureRule({ conditions, actions }: Pick<Rule, "conditions" | "actions">) {
  return { ...measurePatterns(conditions), dynamicRules: actions.idp.idpSelectionType === "DYNAMIC" ? 1 : 0 };
}

/** How much of the quotas of patterns a rule takes. */
function measurePatterns({ userIdentifier }: RuleConditions): { patterns: number; patternBytes: number } {
  const patterns = userIdentifier?.patterns ?? [];
  return {
    patterns: patterns.length,
    patternBytes: patterns.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0),
  };
}
