import { setImmediate } from "node:timers/promises";
import type { Idp, Issuer, Org, Rule, TrustedOrigin, User, Zone } from "../model/records.js";
import { toIdp, toIssuer, toOrg, toRule, toTrustedOrigin, toUser, toZone } from "./rows.js";
import type { Db, OrgRow } from "./schema.js";

/** Rows per read. Other work can run between two reads of a large org. */
const PAGE_SIZE = 2_000;

export function findOrgRow(db: Db, column: "id" | "subdomain", value: string): Promise<OrgRow | undefined> {
  return db.selectFrom("orgs").selectAll().where(column, "=", value).executeTakeFirst();
}

/** The org in `row`, with its domains. */
export async function readOrg(db: Db, row: OrgRow): Promise<Org> {
  const domains = await db
    .selectFrom("org_domains")
    .select("domain")
    .where("org_id", "=", row.id)
    .orderBy("position")
    .execute();
  return toOrg(
    row,
    domains.map(({ domain }) => domain),
  );
}

/** By subdomain. */
export function findOrgRows(db: Db): Promise<OrgRow[]> {
  return db.selectFrom("orgs").selectAll().orderBy("subdomain").execute();
}

/** Grows with every transaction that changes data which routing depends on; `undefined` when there is no such org. */
export async function readRevision(db: Db, orgId: string): Promise<number | undefined> {
  const row = await db.selectFrom("orgs").select("revision").where("id", "=", orgId).executeTakeFirst();
  return row?.revision;
}

/** By name. */
export async function readIdps(db: Db, orgId: string): Promise<Idp[]> {
  const rows = await db.selectFrom("idps").selectAll().where("org_id", "=", orgId).orderBy("name").execute();
  return rows.map(toIdp);
}

/** By name. */
export async function readZones(db: Db, orgId: string): Promise<Zone[]> {
  const rows = await db.selectFrom("zones").selectAll().where("org_id", "=", orgId).orderBy("name").execute();
  return rows.map(toZone);
}

/** By name. */
export async function readTrustedOrigins(db: Db, orgId: string): Promise<TrustedOrigin[]> {
  const rows = await db.selectFrom("trusted_origins").selectAll().where("org_id", "=", orgId).orderBy("name").execute();
  return rows.map(toTrustedOrigin);
}

/** The ACTIVE ones with the scope CORS. */
export async function readCorsOrigins(db: Db, orgId: string): Promise<string[]> {
  const origins = await readTrustedOrigins(db, orgId);
  return origins
    .filter(({ status, scopes }) => status === "ACTIVE" && scopes.some(({ type }) => type === "CORS"))
    .map(({ origin }) => origin);
}

export async function readIssuers(db: Db, orgId: string): Promise<Issuer[]> {
  const rows = await db.selectFrom("issuers").selectAll().where("org_id", "=", orgId).orderBy("issuer").execute();
  return rows.map(toIssuer);
}

/** In the order in which they are tried. */
export async function readRules(db: Db, orgId: string, status?: Rule["status"]): Promise<Rule[]> {
  let query = db.selectFrom("rules").selectAll().where("org_id", "=", orgId).orderBy("priority").limit(PAGE_SIZE);
  if (status !== undefined) query = query.where("status", "=", status);

  const rules: Rule[] = [];
  for (let last = 0; ;) {
    const rows = await query.where("priority", ">", last).execute();
    for (const row of rows) rules.push(toRule(row));
    if (rows.length < PAGE_SIZE) return rules;
    last = rows[rows.length - 1]?.priority ?? last;
    await setImmediate();
  }
}

/** By login. */
export async function readUsers(db: Db, orgId: string): Promise<User[]> {
  const query = db.selectFrom("users").selectAll().where("org_id", "=", orgId).orderBy("login").limit(PAGE_SIZE);

  const users: User[] = [];
  for (let last = ""; ;) {
    const rows = await query.where("login", ">", last).execute();
    for (const row of rows) users.push(toUser(row));
    if (rows.length < PAGE_SIZE) return users;
    last = rows[rows.length - 1]?.login ?? last;
    await setImmediate();
  }
}
