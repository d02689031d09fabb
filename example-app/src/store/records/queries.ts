import { setImmediate } from "node:timers/promises";
import { sql, type RawBuilder } from "kysely";
import type { ProfilePolicy } from "../../model/profile-policies.js";
import type { Org, Rule, TrustedOrigin, User } from "../../model/records.js";
import { BATCH_BYTES, divideBySize } from "./batches.js";
import { bytesOf } from "../contract/columns.js";
import type { Dialect } from "../contract/dialect.js";
import {
  foldLogin,
  toIdp,
  toIssuer,
  toOrg,
  toProfilePolicy,
  toRoutingTest,
  toRule,
  toTrustedOrigin,
  toUser,
  toZone,
} from "../contract/rows.js";
import type { Db, DbTransaction, OrgRow, RoutedIdpRow, RuleRow, Tables } from "../contract/schema.js";
import type { RecordTable } from "./table.js";

/** Rows per read. Other work can run between two reads of a large org; a rule is read and parsed in about 13 µs. */
const PAGE_SIZE = 250;

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

/** Reads the orgs, by subdomain. */
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

/** The policy of an org and its revision, see {@link readRevision}. */
export async function readPolicy(
  db: Db,
  orgId: string,
): Promise<{ policyId: string; revision: number; whenProfileUnavailable: ProfilePolicy } | undefined> {
  const row = await db
    .selectFrom("org_revisions")
    .innerJoin("orgs", "orgs.id", "org_revisions.org_id")
    .select(["policy_id as policyId", "revision", "when_profile_unavailable as stored"])
    .where("org_revisions.org_id", "=", orgId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { stored, ...policy } = row;
  return { ...policy, whenProfileUnavailable: toProfilePolicy(stored) };
}

/** Grows with every transaction that changes data which routing depends on; `undefined` when there is no such org. */
export async function readRevision(db: Db, orgId: string): Promise<number | undefined> {
  const row = await db.selectFrom("org_revisions").select("revision").where("org_id", "=", orgId).executeTakeFirst();
  return row?.revision;
}

/** Begins another revision of an org. @returns its number; 0 when there is no such org */
export async function raiseRevision(db: DbTransaction, orgId: string): Promise<number> {
  const row = await db
    .updateTable("org_revisions")
    .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
    .where("org_id", "=", orgId)
    .returning("revision")
    .executeTakeFirst();
  return row?.revision ?? 0;
}

/** The rows of an org in one table, in parts, by a column that is unique in the org: each part in a turn of the event loop. */
async function* readParts<T extends RecordTable>(
  db: Db,
  orgId: string,
  { table, order, first = "", where = sql`true` }: Readonly<PartsOptions<T>>,
): AsyncGenerator<Tables[T][]> {
  const column = sql.ref<string | number>(order);
  let last = first;
  for (;;) {
    const rows = sql`from ${sql.table(table)} where org_id = ${orgId} and ${where} and ${column} > `;
    const { rows: sizes } = await sql<{ size: number }>`
      select ${bytesOf(table)} as size ${rows} ${last} order by ${column} limit ${PAGE_SIZE}
    `.execute(db);
    for (const { length } of divideBySize(sizes, BATCH_BYTES)) {
      const part = await sql<Tables[T]>`select * ${rows} ${last} order by ${column} limit ${length}`.execute(db);
      yield part.rows;
      last = (part.rows.at(-1)?.[order] as string | number | undefined) ?? last;
      await setImmediate();
    }
    if (sizes.length < PAGE_SIZE) return;
  }
}

interface PartsOptions<T extends RecordTable> {
  table: T;
  order: keyof Tables[T] & string;
  /** Less than all values of the column. @default "" */
  first?: string | number;
  where?: RawBuilder<unknown>;
}

/** All records of an org in one table, by a column that is unique in the org. */
function readerOf<T extends RecordTable, R>(
  table: T,
  order: keyof Tables[T] & string,
  toRecord: (row: Tables[T]) => R,
) {
  return async (db: Db, orgId: string): Promise<R[]> => {
    const records: R[] = [];
    for await (const rows of readParts(db, orgId, { table, order }))
      for (const row of rows) records.push(toRecord(row));
    return records;
  };
}

/** The rows of {@link readZones}. */
export const readZoneRows = readerOf("zones", "name", (row) => row);

export const readIdps = readerOf("idps", "name", toIdp);
export const readZones = readerOf("zones", "name", toZone);
export const readRoutingTests = readerOf("routing_tests", "name", toRoutingTest);
export const readTrustedOrigins = readerOf("trusted_origins", "name", toTrustedOrigin);
export const readIssuers = readerOf("issuers", "issuer", toIssuer);

/** The ACTIVE origins, by scope. */
export async function readOriginsByScope(db: Db, orgId: string): Promise<Record<OriginScope, string[]>> {
  const origins = await readTrustedOrigins(db, orgId);
  const active = origins.filter(({ status }) => status === "ACTIVE");
  const withScope = (scope: OriginScope) =>
    active.filter(({ scopes }) => scopes.some(({ type }) => type === scope)).map(({ origin }) => origin);
  return { CORS: withScope("CORS"), REDIRECT: withScope("REDIRECT") };
}

type OriginScope = TrustedOrigin["scopes"][number]["type"];

/** What routing needs of the identity providers, by name. Those of SAML have certificates, which take long to read. */
export function readRoutedIdps(db: Db, orgId: string): Promise<RoutedIdpRow[]> {
  const protocol = sql<string | null>`case when type = 'SAML2' then null else protocol end`.as("protocol");
  return db
    .selectFrom("idps")
    .select(["id", "type", "name", "status", protocol])
    .where("org_id", "=", orgId)
    .orderBy("name")
    .execute();
}

/** Reads the rules in the order in which they are tried. */
export async function readRules(db: Db, orgId: string, status?: Rule["status"]): Promise<Rule[]> {
  const rules: Rule[] = [];
  for await (const rows of readRuleRows(db, orgId, status)) rules.push(...rows.map(toRule));
  return rules;
}

/** The rows of {@link readRules}, part by part. */
export function readRuleRows(db: Db, orgId: string, status?: Rule["status"]): AsyncGenerator<RuleRow[]> {
  const where = status === undefined ? sql`true` : sql`status = ${status}`;
  return readParts(db, orgId, { table: "rules", order: "priority", first: 0, where });
}

/** The characters of a rule that are JSON: an org decides how many these are. */
export const RULE_SIZE = sql<number>`length(conditions) + length(actions)`.as("size");

/** Reads the users, by login. */
export const readUsers = readerOf("users", "login", toUser);

/** Attributes of a profile. */
export type Attributes = Readonly<Record<string, User["profile"][string]>>;

/** A profile of which more attributes than these are wanted is read as a whole. */
const MAX_NAMES = 50;

/**
 * The named attributes of the user with this login, case-insensitive, in any status; all when there are many names.
 * `undefined` when there is nothing.
 */
export async function readUserProfile(
  place: Readonly<{ db: Db; dialect: Pick<Dialect, "membersOf"> }>,
  orgId: string,
  login: string,
  names: readonly string[],
): Promise<Attributes | undefined> {
  return (await readUserProfiles(place, orgId, [login], names)).get(foldLogin(login));
}

/** The same of some users, by their login in lower case. */
export async function readUserProfiles(
  { db, dialect }: Readonly<{ db: Db; dialect: Pick<Dialect, "membersOf"> }>,
  orgId: string,
  logins: readonly string[],
  names: readonly string[],
): Promise<ReadonlyMap<string, Attributes>> {
  if (names.length === 0) return new Map();
  const users = sql`org_id = ${orgId} and login in (${sql.join(logins.map(foldLogin))})`;
  if (names.length > MAX_NAMES) {
    const { rows } = await sql<{ login: string; profile: string }>`
      select login, profile from users where ${users}
    `.execute(db);
    return new Map(rows.map(({ login, profile }) => [login, JSON.parse(profile) as User["profile"]]));
  }
  const { members: each, value } = dialect.membersOf("profile");
  const { rows } = await sql<{ login: string; key: string; value: string }>`
    select login, key, ${value} as value from users, ${each} where ${users} and key in (${sql.join(names)})
  `.execute(db);
  const found = new Map<string, [string, User["profile"][string]][]>();
  for (const { login, key, value: text } of rows) {
    const members = found.get(login) ?? [];
    members.push([key, JSON.parse(text) as User["profile"][string]]);
    found.set(login, members);
  }
  return new Map(Array.from(found, ([login, members]) => [login, Object.fromEntries(members)]));
}
