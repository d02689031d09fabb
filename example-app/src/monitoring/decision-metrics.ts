import { providerIdOf, ruleIdOf } from "../audit/decision-log.js";
import type { EndedRequest } from "../audit/request-facts.js";
import type { Registration } from "./registration.js";

/** Pairs of rules and providers that have series of their own. */
export const MAX_PAIRS = 1_000;

const OTHER = "other";

export interface DecisionMetricsOptions {
  /** The subdomains of the orgs whose decisions are counted. */
  readonly orgs: readonly string[];
  /** The type of the org itself among identity providers. */
  readonly orgType: string;
}

/** Counts what rules decided for some orgs: these decide how many rules and providers there are, so the series have a limit. */
export function createDecisionMetrics(
  { client, registers }: Registration,
  { orgs, orgType }: DecisionMetricsOptions,
): (end: EndedRequest) => void {
  const decisions = new client.Counter({
    name: "etiquette_decisions_total",
    help: "Decisions of routing rules by org, rule and first provider, for the orgs of --metrics-orgs",
    labelNames: ["org", "rule", "provider"],
    registers,
  });
  const counted = new Set(orgs);
  const pairs = new Set<string>();

  return ({ decision, facts }) => {
    const org = facts.tenant?.org.subdomain;
    if (!decision || org === undefined || !counted.has(org)) return;
    const rule = ruleIdOf(decision);
    const [first] = decision.answer.providers;
    if (rule === undefined || first === undefined) return;
    const provider = providerIdOf(first) || orgType;
    const pair = `${rule} ${provider}`;
    const hasSeries = pairs.has(pair) || pairs.size < MAX_PAIRS;
    if (hasSeries) pairs.add(pair);
    decisions.inc(hasSeries ? { org, rule, provider } : { org, rule: OTHER, provider: OTHER });
  };
}
