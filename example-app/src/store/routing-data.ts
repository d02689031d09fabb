import type { Issuer, Rule, Zone } from "../model/records.js";
import {
  readCorsOrigins,
  readIssuers,
  readRevision,
  readRoutedIdps,
  readRuleRows,
  readZones,
  type RoutedIdpRow,
} from "./queries.js";
import { toRule } from "./rows.js";
import type { Db, RuleRow } from "./schema.js";

/** The input for compiling the rules of one org, read from one snapshot. */
export interface RoutingData {
  revision: number;
  /** The ACTIVE ones, in the order in which they are tried. Each is parsed when it is taken. */
  rules: Iterable<Rule>;
  /** Inactive ones included. */
  idps: RoutedIdpRow[];
  /** Inactive ones included. */
  zones: Zone[];
  /** About the memory that they take when they are compiled. */
  bytes: number;
}

/** Whom and what one org trusts, read from one snapshot. */
export interface TrustData {
  revision: number;
  /** By name, inactive ones included. */
  zones: Zone[];
  /** The ACTIVE trusted origins with the scope CORS. */
  trustedOrigins: string[];
  issuers: Issuer[];
  /** About the memory that they take when they are compiled. */
  bytes: number;
}

/** What an org takes without any record, in bytes. */
const ORG_BYTES = 4_000;

/** What a record takes beside its texts, in bytes: objects, entries of maps. */
const RECORD_BYTES = 256;

export async function readRoutingData(db: Db, orgId: string): Promise<RoutingData | undefined> {
  const revision = await readRevision(db, orgId);
  if (revision === undefined) return undefined;
  const rows: RuleRow[] = [];
  for await (const page of readRuleRows(db, orgId, "ACTIVE")) rows.push(...page);
  const idps = await readRoutedIdps(db, orgId);
  const zones = await readZones(db, orgId);
  const rules = {
    *[Symbol.iterator]() {
      for (const row of rows) yield toRule(row);
    },
  };
  const bytes = rows.reduce((sum, { name, conditions, actions }) => sum + sizeOf(name, conditions, actions), 0);
  const all = ORG_BYTES + bytes + idps.length * RECORD_BYTES + sizeOfZones(zones);
  return { revision, rules, idps, zones, bytes: all };
}

export async function readTrustData(db: Db, orgId: string): Promise<TrustData | undefined> {
  const revision = await readRevision(db, orgId);
  if (revision === undefined) return undefined;
  const zones = await readZones(db, orgId);
  const trustedOrigins = await readCorsOrigins(db, orgId);
  const issuers = await readIssuers(db, orgId);
  const texts = [...trustedOrigins, ...issuers.map(({ keys }) => JSON.stringify(keys))];
  return { revision, zones, trustedOrigins, issuers, bytes: ORG_BYTES + sizeOf(...texts) + sizeOfZones(zones) };
}

function sizeOfZones(zones: readonly Zone[]): number {
  return zones.reduce((sum, { gateways, proxies }) => sum + RECORD_BYTES * (1 + gateways.length + proxies.length), 0);
}

/** A record with these texts. Compiled, they take about as much again: folded copies, entries of maps. */
function sizeOf(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 2 * text.length, RECORD_BYTES);
}
