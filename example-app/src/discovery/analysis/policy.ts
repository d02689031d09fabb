import type { RoutedIdp, Rule, Zone } from "../../model/records.js";
import { parseProviderExpression } from "../../model/provider-expression.js";
import type { IdentifierPattern } from "../../model/rule-shapes.js";
import type { Steps } from "../../pace/steps.js";
import { costOfFolding, foldIdentifier } from "../identifier.js";
import { createCriteriaCompiler, type ActiveProviders, type CompiledCriteria } from "../providers.js";
import { compileRecordsInSteps } from "../records.js";
import {
  CONTRADICTIONS,
  createClientFinder,
  createConditionsCompiler,
  toLiveZone,
  UNCONDITIONAL,
  type Conditions,
  type LiveZones,
} from "./conditions.js";

export const NEVER_REASONS = ["NO_PROVIDER", "NO_PATTERN", ...CONTRADICTIONS] as const;

/** Why a rule never matches. */
export type NeverReason = (typeof NEVER_REASONS)[number];

/** A rule in the form in which rules are compared. */
export interface AnalysedRule extends Pick<Rule, "id" | "name" | "priority"> {
  /** The attribute of the profile that its pattern is for; `undefined` when its patterns are for the login. */
  readonly attribute: string | undefined;
  /** Folded. Empty for a rule for everyone. */
  readonly patterns: readonly IdentifierPattern[];
  readonly conditions: Conditions;
  readonly providers: Selection;
  /** Such a rule takes nothing from the others. */
  readonly never: NeverReason | undefined;
}

/** Where a rule leads. */
export interface Selection {
  /** The same for the same providers in the same order; empty when none is active. */
  readonly key: string;
  /** For a rule that selects its provider by the login. */
  readonly criteria?: CompiledCriteria;
}

/** The ACTIVE rules of an org in order, without the default rule, and what compares them. */
export interface AnalysedPolicy {
  readonly rules: readonly AnalysedRule[];
  readonly compile: (rule: Rule) => Steps<AnalysedRule>;
  readonly findClient: ReturnType<typeof createClientFinder>;
  readonly providers: ActiveProviders;
}

export interface PolicyRecords {
  /** The ACTIVE ones by priority. Each is taken only when the one before is compiled, as are the others. */
  readonly rules: Iterable<Rule>;
  readonly idps: Iterable<RoutedIdp>;
  readonly zones: Iterable<Zone>;
}

/** What a rule costs beside its patterns, and a pattern beside its folding, see {@link Steps}. */
const RULE_COST = 4;
const PATTERN_COST = 1;

export function* compilePolicyInSteps({ rules, idps, zones }: PolicyRecords): Steps<AnalysedPolicy> {
  const kept: Zone[] = [];
  const { providers, findZones } = yield* compileRecordsInSteps({ idps, zones: keep(zones, kept) });
  const live: LiveZones = new Map(kept.flatMap((zone) => [toLiveZone(zone)].filter((found) => found !== undefined)));
  const compile = createRuleCompiler(providers, live);
  const compiled: AnalysedRule[] = [];
  for (const rule of rules) if (!rule.system && rule.status === "ACTIVE") compiled.push(yield* compile(rule));
  return { rules: compiled, compile, findClient: createClientFinder(live, findZones), providers };
}

function* keep<T>(elements: Iterable<T>, kept: T[]): Iterable<T> {
  for (const element of elements) {
    kept.push(element);
    yield element;
  }
}

function createRuleCompiler(active: ActiveProviders, zones: LiveZones): AnalysedPolicy["compile"] {
  const compileConditions = createConditionsCompiler(zones);
  const compileCriteria = createCriteriaCompiler(active);

  return function* compile({ id, name, priority, conditions, actions }) {
    const { userIdentifier } = conditions;
    const patterns: IdentifierPattern[] = [];
    for (const { matchType, value } of userIdentifier?.patterns ?? []) {
      patterns.push({ matchType, value: foldIdentifier(value) });
      yield PATTERN_COST + costOfFolding(value);
    }
    const { network } = conditions;
    yield RULE_COST + ((network?.include?.length ?? 0) + (network?.exclude?.length ?? 0)) / 2;
    const attribute = userIdentifier?.type === "ATTRIBUTE" ? userIdentifier.attribute : undefined;
    const { expression, ...providers } = selectFrom(actions.idp);
    const compiled = compileConditions(conditions, expression);
    const [used, contradiction] = typeof compiled === "string" ? [UNCONDITIONAL, compiled] : [compiled, undefined];
    let never: NeverReason | undefined = contradiction;
    if (patterns.length > 0 && patterns.every(({ value }) => value === "")) never = "NO_PATTERN";
    if (providers.key === "") never = "NO_PROVIDER";
    return { id, name, priority, attribute, patterns, conditions: used, providers, never };
  };

  function selectFrom(idp: Rule["actions"]["idp"]): Selection & { expression: string } {
    if (idp.idpSelectionType === "DYNAMIC") {
      if (active.size === 0) return { key: "", expression: "" };
      const expression = JSON.stringify(parseProviderExpression(idp.matchCriteria[0].providerExpression));
      return { key: expression, expression, criteria: compileCriteria(idp) };
    }
    const ids = idp.providers.flatMap(({ id = "org" }) => (id === "org" || active.has(id) ? id : []));
    return { key: [...new Set(ids)].join(" "), expression: "" };
  }
}
