import type { Rule } from "../model/records.js";
import { comparePatterns } from "../store/rules.js";
import type { Usage } from "../store/usage.js";
import type { Merge } from "./merge.js";

type CountedKind = "idps" | "zones" | "trustedOrigins" | "users";

/** How the quotas of an org are used when an import writes what it merged. */
export function measureUsage(
  { rules, ...others }: Readonly<Record<CountedKind, Pick<Merge<unknown>, "counts">> & { rules: Merge<Rule> }>,
  stored: readonly Rule[],
): Usage {
  const before = new Map(stored.map((rule) => [rule.id, rule]));
  const usage = {
    users: others.users.counts.created,
    idps: others.idps.counts.created,
    zones: others.zones.counts.created,
    trustedOrigins: others.trustedOrigins.counts.created,
    rules: 0,
    patterns: 0,
    patternBytes: 0,
  };
  for (const [rule, event] of rules.changed) {
    const { patterns, patternBytes } = comparePatterns(before.get(rule.id), rule);
    if (event === "create" && !rule.system) usage.rules++;
    usage.patterns += patterns;
    usage.patternBytes += patternBytes;
  }
  return usage;
}
