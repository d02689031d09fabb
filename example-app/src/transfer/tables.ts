import { sql } from "kysely";
import { excerpt } from "../model/faults.js";
import { insertDomains, insertOrg } from "../store/orgs.js";
import { readIdps, readIssuers, readOrg, readRules, readTrustedOrigins, readZones } from "../store/queries.js";
import {
  foldLogin,
  fromIdp,
  fromIssuer,
  fromRule,
  fromTrustedOrigin,
  fromUser,
  fromZone,
  toUser,
} from "../store/rows.js";
import type { DbTransaction, IdpRow, IssuerRow, RuleRow, TrustedOriginRow, UserRow, ZoneRow } from "../store/schema.js";
import type { WriteTransaction } from "../store/transaction.js";
import { domainsOf, type DocumentOrg, type Report } from "./document.js";
import type { OrgPlan, OrgState } from "./plan.js";

/** Keeps the parameters of a statement well below what either engine takes (32,766 and 65,535). */
const BATCH_SIZE = 500;

/** The state of the org that `file` names, which no one else changes before the transaction ends. */
export async function readState({ db, dialect }: WriteTransaction, file: DocumentOrg): Promise<OrgState | undefined> {
  const row = await db
    .selectFrom("orgs")
    .selectAll()
    .where("subdomain", "=", file.value.subdomain)
    .modifyEnd(dialect.lockRows)
    .executeTakeFirst();
  if (!row) return undefined;

  const users: UserRow[] = [];
  for (const batch of batchesOf(file.users)) {
    const logins = batch.map(({ value }) => foldLogin(value.profile.login));
    const ids = batch.flatMap(({ value }) => value.id ?? []);
    const found = await db
      .selectFrom("users")
      .selectAll()
      .where("org_id", "=", row.id)
      .where((eb) => eb.or([eb("login", "in", logins), ...(ids.length > 0 ? [eb("id", "in", ids)] : [])]))
      .execute();
    users.push(...found);
  }
  return {
    org: await readOrg(db, row),
    idps: await readIdps(db, row.id),
    zones: await readZones(db, row.id),
    trustedOrigins: await readTrustedOrigins(db, row.id),
    issuers: await readIssuers(db, row.id),
    rules: file.rules ? await readRules(db, row.id) : [],
    users: users.map(toUser),
  };
}

/** Report the custom domains that another org has and keeps. */
export async function checkDomains(
  { db }: WriteTransaction,
  orgs: readonly DocumentOrg[],
  plans: readonly OrgPlan[],
  report: Report,
): Promise<void> {
  const planned = new Map(plans.map(({ org }) => [org.id, new Set(org.domains)]));
  const wanted = orgs.flatMap((org, i) => domainsOf(org).map((domain) => ({ ...domain, orgId: plans[i]?.org.id })));
  for (const batch of batchesOf(wanted)) {
    const rows = await db
      .selectFrom("org_domains")
      .innerJoin("orgs", "orgs.id", "org_domains.org_id")
      .select(["org_domains.domain", "orgs.id", "orgs.subdomain"])
      .where(
        "org_domains.domain",
        "in",
        batch.map(({ value }) => value),
      )
      .execute();
    const owners = new Map(rows.map((owner) => [owner.domain, owner]));
    for (const { path, value, orgId } of batch) {
      const owner = owners.get(value);
      if (owner === undefined || owner.id === orgId) continue;
      if (planned.get(owner.id)?.has(value) ?? true) report(path, `belongs to the org ${excerpt(owner.subdomain)}`);
    }
  }
}

export async function writePlans(transaction: WriteTransaction, plans: readonly OrgPlan[]): Promise<void> {
  // A domain may move from one org of the file to another.
  for (const { org, orgChanged } of plans) {
    if (orgChanged) await transaction.db.deleteFrom("org_domains").where("org_id", "=", org.id).execute();
  }
  for (const plan of plans) await writePlan(transaction, plan);
}

async function writePlan(transaction: WriteTransaction, plan: OrgPlan): Promise<void> {
  const { db } = transaction;
  const { org, created, orgChanged, idps, zones, trustedOrigins, issuers, removedIssuers, rules, users } = plan;
  if (created) await insertOrg(transaction, created);
  if (orgChanged) {
    await db
      .updateTable("orgs")
      .set({ name: org.name, last_updated: org.lastUpdated })
      .where("id", "=", org.id)
      .execute();
    await insertDomains(transaction, org);
  }
  const touching = [idps, zones, trustedOrigins, issuers, rules].some((records) => records.length > 0);
  if (orgChanged || touching) await transaction.touch(org.id);

  await upsert(
    db,
    "idps",
    idps.map((idp) => fromIdp(org.id, idp)),
  );
  await upsert(
    db,
    "zones",
    zones.map((zone) => fromZone(org.id, zone)),
  );
  // Out of the way first: an origin may move from one record of the file to another.
  await remove(db, "trusted_origins", org.id, trustedOrigins);
  await upsert(
    db,
    "trusted_origins",
    trustedOrigins.map((origin) => fromTrustedOrigin(org.id, origin)),
  );
  await remove(db, "issuers", org.id, removedIssuers);
  await upsert(
    db,
    "issuers",
    issuers.map((issuer) => fromIssuer(org.id, issuer)),
  );
  await upsert(
    db,
    "users",
    users.map((user) => fromUser(org.id, user)),
  );

  // Out of the way first: a rule may take the place of one that is written after it.
  for (const batch of batchesOf(rules)) {
    await db
      .updateTable("rules")
      .set({ priority: sql`-priority` })
      .where("org_id", "=", org.id)
      .where(
        "id",
        "in",
        batch.map(({ id }) => id),
      )
      .execute();
  }
  await upsert(
    db,
    "rules",
    rules.map((rule) => fromRule(org.id, rule)),
  );
  // Those that were not written may stand between others at any position.
  if (rules.length > 0) {
    await db
      .updateTable("rules")
      .set({ position: sql`priority` })
      .where("org_id", "=", org.id)
      .execute();
  }
}

interface RecordRows {
  idps: IdpRow;
  zones: ZoneRow;
  trusted_origins: TrustedOriginRow;
  issuers: IssuerRow;
  rules: RuleRow;
  users: UserRow;
}

async function upsert<T extends keyof RecordRows>(
  db: DbTransaction,
  table: T,
  rows: readonly RecordRows[T][],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== "org_id" && column !== "id");
  const excluded = Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)]));
  if (table === "users") excluded["revision"] = sql`users.revision + 1`;
  for (const batch of batchesOf(rows)) {
    await db
      .insertInto(table as "users")
      .values(batch as UserRow[])
      .onConflict((conflict) => conflict.columns(["org_id", "id"]).doUpdateSet(excluded))
      .execute();
  }
}

async function remove(
  db: DbTransaction,
  table: "trusted_origins" | "issuers",
  orgId: string,
  records: readonly { id: string }[],
): Promise<void> {
  for (const batch of batchesOf(records)) {
    const ids = batch.map(({ id }) => id);
    await db.deleteFrom(table).where("org_id", "=", orgId).where("id", "in", ids).execute();
  }
}

function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}
