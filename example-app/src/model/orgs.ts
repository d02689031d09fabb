import { createId } from "./ids.js";
import type { Org, Rule } from "./records.js";

export interface NewOrg {
  subdomain: string;
  name: string;
  domains?: readonly string[] | undefined;
}

/** An org as it is made: with its policy and the rule that its rules end with. */
export interface CreatedOrg {
  org: Org;
  policyId: string;
  defaultRule: Rule;
}

/** Where whoever no other rule sends elsewhere signs in: at the org itself (rule W4). */
export const DEFAULT_RULE_NAME = "Default Rule";

/** The type of the org itself among the providers of a rule, whatever the namespace is. */
export const ORG_PROVIDER = "SVC";

export function buildOrg({ subdomain, name, domains = [] }: Readonly<NewOrg>, now: string): CreatedOrg {
  const stamps = { created: now, lastUpdated: now };
  return {
    org: { id: createId(), subdomain, name, domains: [...domains], ...stamps },
    policyId: createId(),
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
