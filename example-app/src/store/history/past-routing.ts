import type { Idp, RoutedIdp, Rule, Zone } from "../../model/records.js";
import { issuerOf, toRoutedIdp, toRule, toZone } from "../contract/rows.js";
import type { Db } from "../contract/schema.js";
import { readRoutedIdps, readRuleRows, readZoneRows } from "../records/queries.js";
import { readTexts } from "./versions.js";
import { goBack, readPresent, type Version } from "./walk.js";

/** What routing needs of an org, as it was at a revision. Each record is parsed when it is taken. */
export interface PastRouting {
  /** In their order, inactive ones included. */
  readonly rules: Iterable<Rule>;
  /** Inactive ones included, as of the zones. */
  readonly idps: Iterable<RoutedIdp>;
  readonly zones: Iterable<Zone>;
}

export async function readPastRouting(db: Db, orgId: string, revision: number): Promise<PastRouting> {
  const { touched, order } = await goBack(db, orgId, await readPresent(db, orgId), revision);
  const rules = await readPast<Rule>(db, orgId, touched.rule);
  for await (const rows of readRuleRows(db, orgId)) for (const row of rows) rules.add(row.id, () => toRule(row));
  const idps = await readPast<RoutedIdp>(db, orgId, touched.idp, (text) => {
    const { protocol, ...idp } = JSON.parse(text) as Idp;
    return { ...idp, issuer: issuerOf(protocol) };
  });
  for (const row of await readRoutedIdps(db, orgId)) idps.add(row.id, () => toRoutedIdp(row));
  const zones = await readPast<Zone>(db, orgId, touched.zone);
  for (const row of await readZoneRows(db, orgId)) zones.add(row.id, () => toZone(row));
  return {
    rules: {
      *[Symbol.iterator]() {
        for (const [index, id] of order.entries()) {
          const rule = rules.all.get(id)?.();
          if (rule) yield { ...rule, priority: index + 1 };
        }
      },
    },
    idps: parsed(idps.all),
    zones: parsed(zones.all),
  };
}

/** The records that were there and have changed since, to which the others are added. */
async function readPast<R>(
  db: Db,
  orgId: string,
  versions: ReadonlyMap<string, Version | null>,
  parse = (text: string): R => JSON.parse(text) as R,
) {
  const all = new Map<string, () => R>();
  await readTexts(db, orgId, versions, (id, text) => all.set(id, () => parse(text)));
  return {
    all,
    add(id: string, take: () => R): void {
      if (!versions.has(id)) all.set(id, take);
    },
  };
}

function* parsed<R>(records: ReadonlyMap<string, () => R>): Iterable<R> {
  for (const take of records.values()) yield take();
}
