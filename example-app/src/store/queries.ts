import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Org, Rule, User } from "../model/records.js";
import { foldLogin, toIdp, toIssuer, toOrg, toRule, toTrustedOrigin, toUser, toZone } from "./rows.js";
import type { Db, IdpRow, OrgRow, RuleRow, Tables } from "./schema.js";
import type { RecordTable } from "./table.js";

/** Rows per read. Other work can run between two reads of a large org; a rule is read and parsed in about 13 µs. */
const PAGE_SIZE = 500;

export type RoutedIdpRow = Pick<IdpRow, "id" | "type" | "name" | "status">;

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

/**
 * The custom domains of the orgs, and with `suffix` also their subdomains with it behind them: at most `limit` hosts,
 * those of the oldest orgs first.
 */
export async function readHosts(db: Db, suffix: string | undefined, limit: number): Promise<string[]> {
  const subdomains = sql`union all select subdomain || ${suffix ?? ""}, created, id, -1 from orgs`;
  const { rows } = await sql<{ host: string }>`
    select domain as host, created, org_id, position from org_domains join orgs on orgs.id = org_domains.org_id
    ${suffix === undefined ? sql`` : subdomains}
    order by 2, 3, 4 limit ${limit}
  `.execute(db);
  return rows.map(({ host }) => host);
}

/** The id of the org with this custom domain. */
export function findDomainOwner(db: Db, domain: string): Promise<{ org_id: string } | undefined> {
  return db.selectFrom("org_domains").select("org_id").where("domain", "=", domain).executeTakeFirst();
}

/** Grows with every transaction that changes data which routing depends on; `undefined` when there is no such org. */
export async function readRevision(db: Db, orgId: string): Promise<number | undefined> {
  const row = await db.selectFrom("org_revisions").select("revision").where("org_id", "=", orgId).executeTakeFirst();
  return row?.revision;
}

/** All records of an org in one table, by a column that is unique in the org. */
function readerOf<T extends RecordTable, R>(
  table: T,
  order: keyof Tables[T] & string,
  toRecord: (row: Tables[T]) => R,
) {
  return async (db: Db, orgId: string): Promise<R[]> => {
    const { rows } = await sql<Tables[T]>`
      select * from ${sql.table(table)} where org_id = ${orgId} order by ${sql.ref(order)}
    `.execute(db);
    return rows.map(toRecord);
  };
}

export const readIdps = readerOf("idps", "name", toIdp);
export const readZones = readerOf("zones", "name", toZone);
export const readTrustedOrigins = readerOf("trusted_origins", "name", toTrustedOrigin);
export const readIssuers = readerOf("issuers", "issuer", toIssuer);

/** The ACTIVE ones with the scope CORS. */
export async function readCorsOrigins(db: Db, orgId: string): Promise<string[]> {
  const origins = await readTrustedOrigins(db, orgId);
  return origins
    .filter(({ status, scopes }) => status === "ACTIVE" && scopes.some(({ type }) => type === "CORS"))
    .map(({ origin }) => origin);
}

/** What routing needs of the identity providers. */
export function readRoutedIdps(db: Db, orgId: string): Promise<RoutedIdpRow[]> {
  return db.selectFrom("idps").select(["id", "type", "name", "status"]).where("org_id", "=", orgId).execute();
}

/** In the order in which they are tried. */
export async function readRules(db: Db, orgId: string, status?: Rule["status"]): Promise<Rule[]> {
  const rules: Rule[] = [];
  for await (const rows of readRuleRows(db, orgId, status)) rules.push(...rows.map(toRule));
  return rules;
}

/** The rows of {@link readRules}, page by page. */
export async function* readRuleRows(db: Db, orgId: string, status?: Rule["status"]): AsyncGenerator<RuleRow[]> {
  let query = db.selectFrom("rules").selectAll().where("org_id", "=", orgId).orderBy("priority").limit(PAGE_SIZE);
  if (status !== undefined) query = query.where("status", "=", status);

  for (let last = 0; ;) {
    const rows = await query.where("priority", ">", last).execute();
    yield rows;
    if (rows.length < PAGE_SIZE) return;
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

/** The profile of the user with this login, case-insensitive, in any status. */
export async function readUserProfile(db: Db, orgId: string, login: string): Promise<User["profile"] | undefined> {
  const row = await db
    .selectFrom("users")
    .select("profile")
    .where("org_id", "=", orgId)
    .where("login", "=", foldLogin(login))
    .executeTakeFirst();
  return row && (JSON.parse(row.profile) as User["profile"]);
}
