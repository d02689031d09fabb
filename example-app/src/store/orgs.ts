import type { CreatedOrg } from "../model/orgs.js";
import type { Org } from "../model/records.js";
import { fromRule } from "./rows.js";
import type { WriteTransaction } from "./transaction.js";

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
