import { createId } from "./ids.js";
import type { Org, Rule } from "./records.js";
import { DEFAULT_RULE_NAME } from "./rule-shapes.js";

export interface NewOrg {
  subdomain: string;
  name: string;
  domains?: readonly string[] | undefined;
  /** @default "ACTIVE" */
  status?: "ACTIVE" | "SUSPENDED" | undefined;
  /** @default {} */
  rateLimits?: Org["rateLimits"] | undefined;
  /** @default null */
  signInUrl?: Org["signInUrl"] | undefined;
  /** @default "UNAVAILABLE" */
  whenProfileUnavailable?: Org["whenProfileUnavailable"] | undefined;
  /** @default a new id */
  policyId?: string | undefined;
}

/** A new org with its policy and its default rule. */
export interface CreatedOrg {
  org: Org;
  policyId: string;
  defaultRule: Rule;
}

/** The org that the first start creates. */
export const DEMO_SUBDOMAIN = "demo";

/** The type of the org itself among the providers of a rule, as stored for every namespace. */
export const ORG_PROVIDER = "SVC";

export function buildOrg(
  { subdomain, name, domains = [], status = "ACTIVE", policyId = createId(), ...settings }: Readonly<NewOrg>,
  now: string,
): CreatedOrg {
  const { rateLimits = {}, signInUrl = null, whenProfileUnavailable = "UNAVAILABLE" } = settings;
  const stamps = { created: now, lastUpdated: now };
  const members = { subdomain, name, status, domains: [...domains], rateLimits, signInUrl, whenProfileUnavailable };
  return {
    org: { id: createId(), ...members, ...stamps },
    policyId,
    defaultRule: {
      id: createId(),
      name: DEFAULT_RULE_NAME,
      priority: 1,
      status: "ACTIVE",
      system: true,
      conditions: {},
      actions: { idp: { providers: [{ type: ORG_PROVIDER }], idpSelectionType: "SPECIFIC" } },
      ...stamps,
    },
  };
}
