import { sql } from "kysely";
import type { ProfilePolicy } from "../../model/profile-policies.js";
import type { Issuer, RoutedIdp, Rule, Zone } from "../../model/records.js";
import {
  readIssuers,
  readOriginsByScope,
  readPolicy,
  readRevision,
  readRoutedIdps,
  readRuleRows,
  readZoneRows,
} from "./queries.js";
import { toRoutedIdp, toRule, toZone } from "../contract/rows.js";
import type { Db, RuleRow, ZoneRow } from "../contract/schema.js";

/** The input for compiling the rules of one org, read from one snapshot. */
export interface RoutingData {
  policyId: string;
  revision: number;
  whenProfileUnavailable: ProfilePolicy;
  /** The ACTIVE ones, in the order in which they are tried. Each is parsed when it is taken. */
  rules: Iterable<Rule>;
  /** Inactive ones included. Each is parsed when it is taken. */
  idps: Iterable<RoutedIdp>;
  /** Inactive ones included. Each is parsed when it is taken, like those of {@link TrustData}. */
  zones: Iterable<Zone>;
  /** The approximate memory that they take when they are compiled. */
  bytes: number;
}

/** Whom and what one org trusts, read from one snapshot. */
export interface TrustData {
  revision: number;
  /** By name, inactive ones included. */
  zones: Iterable<Zone>;
  /** The ACTIVE trusted origins with the scope CORS. */
  trustedOrigins: string[];
  /** Those with the scope REDIRECT. */
  redirectOrigins: string[];
  issuers: Issuer[];
  /** The approximate memory that they take when they are compiled. */
  bytes: number;
}

/** What an org takes without any record, in bytes. */
const ORG_BYTES = 4_000;

/** What a record takes beside its texts, in bytes: objects, entries of maps. */
const RECORD_BYTES = 256;

/** What a range takes, for each character of its JSON. */
const RANGE_FACTOR = 4;

export async function readRoutingData(db: Db, orgId: string): Promise<RoutingData | undefined> {
  const policy = await readPolicy(db, orgId);
  if (!policy) return undefined;
  const rows = await readActiveRows(db, orgId);
  const idps = await readRoutedIdps(db, orgId);
  const zones = await readZoneRows(db, orgId);
  const bytes = rows.reduce((sum, { name, conditions, actions }) => sum + sizeOf(name, conditions, actions), 0);
  // for each zone and each of 21 platforms two sets of rules at most
  const sets = rows.length * ((2 * zones.length + 21) / 8);
  const idpBytes = idps.reduce((sum, { protocol }) => sum + sizeOf(protocol ?? ""), 0);
  const all = ORG_BYTES + bytes + sets + idpBytes + sizeOfZones(zones);
  return {
    ...policy,
    rules: mapLazily(rows, toRule),
    idps: mapLazily(idps, toRoutedIdp),
    zones: mapLazily(zones, toZone),
    bytes: all,
  };
}

/** The ACTIVE rules of an org, as {@link RoutingData} has them. */
export async function readActiveRules(db: Db, orgId: string): Promise<Iterable<Rule>> {
  return mapLazily(await readActiveRows(db, orgId), toRule);
}

async function readActiveRows(db: Db, orgId: string): Promise<RuleRow[]> {
  const rows: RuleRow[] = [];
  for await (const page of readRuleRows(db, orgId, "ACTIVE")) rows.push(...page);
  return rows;
}

export async function readTrustData(db: Db, orgId: string): Promise<TrustData | undefined> {
  const revision = await readRevision(db, orgId);
  if (revision === undefined) return undefined;
  const rows = await readZoneRows(db, orgId);
  const zones = mapLazily(rows, toZone);
  const { CORS: trustedOrigins, REDIRECT: redirectOrigins } = await readOriginsByScope(db, orgId);
  const issuers = await readIssuers(db, orgId);
  const texts = [...trustedOrigins, ...redirectOrigins, ...issuers.map(({ keys }) => JSON.stringify(keys))];
  const bytes = ORG_BYTES + sizeOf(...texts) + sizeOfZones(rows);
  return { revision, zones, trustedOrigins, redirectOrigins, issuers, bytes };
}

/** The records of rows, each made when it is taken: many at once would hold up others. */
function mapLazily<Row, R>(rows: readonly Row[], toRecord: (row: Row) => R): Iterable<R> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) yield toRecord(row);
    },
  };
}

function sizeOfZones(zones: readonly ZoneRow[]): number {
  return zones.reduce(
    (sum, { gateways, proxies }) => sum + RECORD_BYTES + RANGE_FACTOR * (gateways.length + proxies.length),
    0,
  );
}

/** A record with these texts. Compiled, they take about as much again: folded copies, entries of maps. */
function sizeOf(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 2 * text.length, RECORD_BYTES);
}

/** The revisions of the orgs with the newest events, at most `limit`. */
export async function listRevisions(db: Db, limit: number): Promise<{ id: string; revision: number }[]> {
  const { rows } = await sql<{ id: string; revision: number }>`
    select orgs.id, revision from orgs join org_revisions on org_revisions.org_id = orgs.id
    left join log_heads on log_heads.org_id = org_revisions.org_id
    order by log_heads.published desc nulls last, orgs.id limit ${limit}
  `.execute(db);
  return rows;
}
