import { sql } from "kysely";
import type { CreatedOrg } from "../../model/orgs.js";
import type { Org, Policy } from "../../model/records.js";
import { batchesOf } from "./batches.js";
import { findOrgRow } from "./queries.js";
import { fromRule, toPolicy } from "../contract/rows.js";
import type { Db, OrgRow } from "../contract/schema.js";
import type { ReadableTable } from "./table.js";
import type { WriteTransaction } from "../contract/transaction.js";

/** Each org has one policy, stored in the org's row. */
export const POLICIES: ReadableTable<OrgRow, Policy> = {
  name: "orgs",
  toRecord: toPolicy,
  search: (_dialect, orgId) => ({
    tests: 0,
    order: [{ column: "policy_id" }],
    skip: () => Promise.resolve(undefined),
    async find(db) {
      const row = await findOrgRow(db, "id", orgId);
      return row ? [row] : [];
    },
  }),
  async find(db, orgId, id) {
    const row = await findOrgRow(db, "id", orgId);
    return row?.policy_id === id ? toPolicy(row) : undefined;
  },
};

/** The history doesn't get its default rule; what writes it does that. */
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
      status: org.status,
      policy_id: policyId,
      rate_limits: JSON.stringify(org.rateLimits),
      sign_in_url: org.signInUrl,
      when_profile_unavailable: org.whenProfileUnavailable,
      created: org.created,
      last_updated: org.lastUpdated,
    })
    .execute();
  await transaction.db.insertInto("org_revisions").values({ org_id: org.id, revision: 0 }).execute();
  await transaction.touch(org.id);
  await insertDomains(transaction, org);
  await transaction.db.insertInto("rules").values(fromRule(org.id, defaultRule)).execute();
}

/** Update what an import may change of an org. Delete the old domains first, see {@link deleteDomains}. */
export async function updateOrg(transaction: WriteTransaction, org: Readonly<Org>, policyId: string): Promise<void> {
  await transaction.db
    .updateTable("orgs")
    .set({
      name: org.name,
      status: org.status,
      policy_id: policyId,
      rate_limits: JSON.stringify(org.rateLimits),
      sign_in_url: org.signInUrl,
      when_profile_unavailable: org.whenProfileUnavailable,
      last_updated: org.lastUpdated,
    })
    .where("id", "=", org.id)
    .execute();
  await insertDomains(transaction, org);
}

/** Change the policy of an org, on all nodes. */
export async function updatePolicy(transaction: WriteTransaction, orgId: string, policy: Policy): Promise<void> {
  await transaction.touch(orgId);
  await transaction.db
    .updateTable("orgs")
    .set({ when_profile_unavailable: policy.whenProfileUnavailable, last_updated: policy.lastUpdated })
    .where("id", "=", orgId)
    .execute();
}

/** Change the status of an org, on all nodes. */
export async function setOrgStatus(transaction: WriteTransaction, orgId: string, status: Org["status"]): Promise<void> {
  await transaction.touch(orgId);
  await transaction.db
    .updateTable("orgs")
    .set({ status, last_updated: transaction.now })
    .where("id", "=", orgId)
    .execute();
}

export async function deleteDomains({ db }: WriteTransaction, orgId: string): Promise<void> {
  await db.deleteFrom("org_domains").where("org_id", "=", orgId).execute();
}

/** Remove the records of an org, also its default rule. Its domains, tokens, log and history stay. */
export async function clearOrg({ db }: WriteTransaction, orgId: string): Promise<void> {
  for (const table of [
    "idps",
    "zones",
    "trusted_origins",
    "issuers",
    "users",
    "user_words",
    "rules",
    "routing_tests",
  ] as const) {
    await db.deleteFrom(table).where("org_id", "=", orgId).execute();
  }
  await db
    .deleteFrom("org_usage")
    .where("org_id", "=", orgId)
    .where("quota", "not in", ["apiTokens", "historyBytes"])
    .execute();
}

export async function hasUsers(db: Db, orgId: string): Promise<boolean> {
  return (
    (await db.selectFrom("users").select("id").where("org_id", "=", orgId).limit(1).executeTakeFirst()) !== undefined
  );
}

/** Find the org with this subdomain and block its other writers until the transaction ends, as `touch` does. */
export async function lockOrgRow(transaction: WriteTransaction, subdomain: string): Promise<OrgRow | undefined> {
  const { db } = transaction;
  const row = await findOrgRow(db, "subdomain", subdomain);
  if (!row) return undefined;
  await lockOrg(transaction, row.id);
  return findOrgRow(db, "id", row.id); // as it is after the wait
}

/** Block the other writers of an org until the transaction ends. */
export async function lockOrg({ db, dialect }: WriteTransaction, orgId: string): Promise<void> {
  await sql`select org_id from org_revisions where org_id = ${orgId} ${dialect.lockRows}`.execute(db);
}

/** The orgs that own these custom domains, by domain. */
export async function findDomainOwners(
  { db }: WriteTransaction,
  domains: readonly string[],
): Promise<Map<string, Pick<OrgRow, "id" | "subdomain">>> {
  const owners = new Map<string, Pick<OrgRow, "id" | "subdomain">>();
  for (const batch of batchesOf(domains)) {
    const rows = await db
      .selectFrom("org_domains")
      .innerJoin("orgs", "orgs.id", "org_domains.org_id")
      .select(["org_domains.domain", "orgs.id", "orgs.subdomain"])
      .where("org_domains.domain", "in", batch)
      .execute();
    for (const { domain, ...owner } of rows) owners.set(domain, owner);
  }
  return owners;
}

async function insertDomains({ db }: WriteTransaction, { id, domains }: Readonly<Org>): Promise<void> {
  if (domains.length === 0) return;
  await db
    .insertInto("org_domains")
    .values(domains.map((domain, position) => ({ org_id: id, domain, position })))
    .execute();
}
