import type { Org, Rule } from "../model.js";
import { createId } from "./ids.js";
import { fromRule } from "./records.js";
import type { WriteTransaction } from "./store.js";

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

export async function insertOrg(
  transaction: WriteTransaction,
  { org, policyId, defaultRule }: Readonly<CreatedOrg>,
): Promise<void> {
  await transaction.db
    .insertInto("orgs")
    .values({
      id: org.id,
      subdomain: org.subdomain,
      name: org.name,
      policy_id: policyId,
      revision: 0,
      created: org.created,
      last_updated: org.lastUpdated,
    })
    .execute();
  await transaction.touch(org.id);
  await insertDomains(transaction, org);
  await transaction.db.insertInto("rules").values(fromRule(org.id, defaultRule)).execute();
}

export async function insertDomains({ db }: WriteTransaction, { id, domains }: Readonly<Org>): Promise<void> {
  if (domains.length === 0) return;
  await db
    .insertInto("org_domains")
    .values(domains.map((domain, position) => ({ org_id: id, domain, position })))
    .execute();
}
