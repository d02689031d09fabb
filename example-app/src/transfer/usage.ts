import type { Steps } from "../pace/steps.js";
import type { Idp, Rule, User, Zone } from "../model/records.js";
import { measureRow, type CountedTable } from "../store/contract/columns.js";
import { fromIdp, fromUser, fromZone } from "../store/contract/rows.js";
import { compareRules } from "../store/records/rules.js";
import type { Usage } from "../store/records/usage.js";
import { costOf } from "./costs.js";
import type { Merge } from "./merge.js";

export interface Merged {
  readonly idps: Merge<Idp>;
  readonly zones: Merge<Zone>;
  readonly trustedOrigins: Pick<Merge<unknown>, "counts">;
  readonly rules: Merge<Rule>;
  readonly users: Merge<User>;
}

/** The same records before the import. */
export interface Stored {
  readonly idps: readonly Idp[];
  readonly zones: readonly Zone[];
  readonly rules: readonly Rule[];
  readonly users: readonly User[];
}

/** How the quotas of an org are used when an import writes what it merged. */
export function* measureUsage({ idps, zones, trustedOrigins, rules, users }: Merged, stored: Stored): Steps<Usage> {
  const usage = {
    users: users.counts.created,
    idps: idps.counts.created,
    zones: zones.counts.created,
    trustedOrigins: trustedOrigins.counts.created,
    rules: 0,
    patterns: 0,
    patternBytes: 0,
    dynamicRules: 0,
    ruleBytes: 0,
    idpBytes: yield* measureGrowth("idps", idps, stored.idps, fromIdp),
    zoneBytes: yield* measureGrowth("zones", zones, stored.zones, fromZone),
    userBytes: yield* measureGrowth("users", users, stored.users, fromUser),
  };
  const before = new Map(stored.rules.map((rule) => [rule.id, rule]));
  for (const [rule, event] of rules.changed) {
    yield costOf(rule) + costOf(before.get(rule.id));
    const { patterns, patternBytes, dynamicRules, ruleBytes } = compareRules(before.get(rule.id), rule);
    if (event === "create" && !rule.system) usage.rules++;
    usage.patterns += patterns;
    usage.patternBytes += patternBytes;
    usage.dynamicRules += dynamicRules;
    usage.ruleBytes += ruleBytes;
  }
  return usage;
}

/** How many bytes more the records have than before. */
function* measureGrowth<R extends { readonly id: string }>(
  table: CountedTable,
  { changed }: Merge<R>,
  stored: readonly R[],
  fromRecord: (orgId: string, record: R) => object,
): Steps<number> {
  const before = new Map(stored.map((record) => [record.id, record]));
  const measure = (record: R | undefined): number => (record ? measureRow(table, fromRecord("", record)) : 0);
  let growth = 0;
  for (const record of changed.keys()) {
    yield costOf(record) + costOf(before.get(record.id));
    growth += measure(record) - measure(before.get(record.id));
  }
  return growth;
}
