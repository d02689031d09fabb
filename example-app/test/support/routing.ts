import type { Question } from "../../src/discovery/conditions.js";
import type { Idp, Rule, RuleActions, RuleConditions, Zone } from "../../src/model/records.js";

const STAMPS = { created: "2026-01-01T00:00:00.000Z", lastUpdated: "2026-01-01T00:00:00.000Z" };

export function buildIdp(id: string, overrides: Partial<Idp> = {}): Idp {
  return {
    id,
    type: "SAML2",
    name: `IdP ${id}`,
    status: "ACTIVE",
    protocol: { type: "SAML2", endpoints: { sso: { url: "https://idp.example/sso", binding: "HTTP-POST" } } },
    metadata: null,
    ...STAMPS,
    ...overrides,
  };
}

export interface RuleFacts extends Partial<Omit<Rule, "actions">> {
  id: string;
  /** Ids of IdPs, or `org`; or the expression of a dynamic rule. */
  providers: string[] | string;
}

export function buildRule({ id, providers, ...overrides }: RuleFacts): Rule {
  return {
    id,
    name: `Rule ${id}`,
    priority: 1,
    status: "ACTIVE",
    system: false,
    conditions: {},
    actions: buildActions(providers),
    ...STAMPS,
    ...overrides,
  };
}

function buildActions(providers: RuleFacts["providers"]): RuleActions {
  if (typeof providers === "string") {
    const matchCriteria: [{ propertyName: "name"; providerExpression: string }] = [
      { propertyName: "name", providerExpression: providers },
    ];
    return { idp: { idpSelectionType: "DYNAMIC", matchCriteria } };
  }
  const named = providers.map((id) => (id === "org" ? { type: "SVC" } : { type: "SAML2", id }));
  return { idp: { providers: named, idpSelectionType: "SPECIFIC" } };
}

export const DEFAULT_RULE: Rule = buildRule({ id: "default", system: true, priority: 1000, providers: ["org"] });

export function buildZone(id: string, gateways: string[], overrides: Partial<Zone> = {}): Zone {
  return {
    id,
    type: "IP",
    name: `Zone ${id}`,
    status: "ACTIVE",
    gateways: gateways.map((value) => ({ type: value.includes("/") ? "CIDR" : "RANGE", value })),
    proxies: [],
    ...STAMPS,
    ...overrides,
  };
}

/** A condition on the identifier. */
export function identifier(
  matchType: "SUFFIX" | "EQUALS" | "STARTS_WITH" | "CONTAINS",
  ...values: string[]
): RuleConditions {
  return { userIdentifier: { type: "IDENTIFIER", patterns: values.map((value) => ({ matchType, value })) } };
}

export function attribute(
  name: string,
  matchType: "SUFFIX" | "EQUALS" | "STARTS_WITH" | "CONTAINS",
  value: string,
): RuleConditions {
  return { userIdentifier: { type: "ATTRIBUTE", attribute: name, patterns: [{ matchType, value }] } };
}

export function ask(login: string, overrides: Partial<Question> = {}): Question {
  return {
    login,
    clientIp: "192.0.2.1",
    platform: { type: "DESKTOP", os: "LINUX" },
    lookupProfile: () => Promise.resolve(undefined),
    ...overrides,
  };
}
