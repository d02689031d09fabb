import type { NetworkCondition, Rule, UserIdentifierCondition } from "../model/records.js";
import type { IdentifierPattern } from "../model/rule-shapes.js";
import { foldAttribute } from "./attribute-sets.js";
import { hasEntries, holdsInZones, holdsOnPlatform, type Profile, type Question } from "./conditions.js";
import { costOfUnfolded, foldIdentifier, matchesPattern, matchesUnfolded } from "./identifier.js";
import type { ClientPlatform } from "./platform.js";
import { createCriteriaCompiler, createLoginTexts, type NamedProvider } from "./providers.js";
import type { CompiledRecords } from "./records.js";
import type { Steps } from "../pace/steps.js";

/** The outcome of one rule: its conditions hold, one of them does not, or the rule is skipped. */
export interface Explanation {
  readonly result: "MATCH" | "NO_MATCH" | "SKIPPED";
  /** Why the rule is skipped. */
  readonly reason?: "INACTIVE" | "NO_ACTIVE_PROVIDER";
  /** All conditions of the rule, also those after one that does not hold; empty for a skipped rule. */
  readonly conditions: readonly ExplainedCondition[];
}

/** A condition and the value that it was checked against. */
export type ExplainedCondition =
  | {
      readonly condition: "userIdentifier";
      readonly holds: boolean;
      /** The login, or the value of `attribute`: `null` when the user or the attribute is absent. */
      readonly value: unknown;
      readonly attribute?: string;
      /** The first pattern that matches. */
      readonly pattern?: Readonly<IdentifierPattern>;
    }
  | { readonly condition: "network"; readonly holds: boolean; readonly value: string | null }
  | { readonly condition: "platform"; readonly holds: boolean; readonly value: ClientPlatform }
  | {
      readonly condition: "matchCriteria";
      readonly holds: boolean;
      /** The value of the expression. */
      readonly value: string;
      /** The active provider with this name. */
      readonly provider: NamedProvider | null;
    };

export interface ExplainerOptions {
  records: CompiledRecords;
  question: Question;
  profile: Profile | undefined;
}

/** Characters of a text that are searched for a pattern in a microsecond. */
const SEARCHED_PER_COST = 50;

/** Ids of zones that are compared in a microsecond. */
const COMPARED_PER_COST = 50;

/**
 * A function that explains what happens when `question` reaches a rule. It tries each rule by itself and does not use
 * the index of `compileRouting`. The first MATCH by priority is the rule that `compileRouting` finds.
 */
export function createExplainer(options: Readonly<ExplainerOptions>): (rule: Rule) => Steps<Explanation> {
  const { records, question, profile } = options;
  const compileCriteria = createCriteriaCompiler(records.providers);
  const zones = records.findZones(question.clientIp);
  const login = foldIdentifier(question.login);
  const attributes = new Map<string, string[]>(); // folded, by name

  return function* explain(rule) {
    if (rule.status !== "ACTIVE") return { result: "SKIPPED", reason: "INACTIVE", conditions: [] };
    if (rule.system) return { result: "MATCH", conditions: [] };
    const { idp } = rule.actions;
    const isActive = ({ id }: { id?: string | undefined }) => id === undefined || records.providers.has(id);
    if (idp.idpSelectionType === "SPECIFIC" && !idp.providers.some(isActive)) {
      return { result: "SKIPPED", reason: "NO_ACTIVE_PROVIDER", conditions: [] };
    }
    const conditions = [...(yield* explainConditions(rule)), ...explainCriteria(rule)];
    return { result: conditions.every(({ holds }) => holds) ? "MATCH" : "NO_MATCH", conditions };
  };

  function* explainConditions({ conditions }: Rule): Steps<ExplainedCondition[]> {
    const { network, platform, userIdentifier } = conditions;
    const explained: ExplainedCondition[] = [];
    if (network?.connection === "ZONE") {
      explained.push({ condition: "network", holds: holdsInZones(network, zones), value: question.clientIp ?? null });
    }
    if (platform && hasEntries(platform)) {
      const value = question.platform;
      explained.push({ condition: "platform", holds: holdsOnPlatform(platform, value), value });
    }
    yield 2 + (zones.length * countZones(network)) / COMPARED_PER_COST;
    if (!userIdentifier || userIdentifier.patterns.length === 0) return explained;
    return userIdentifier.type === "ATTRIBUTE"
      ? [...explained, yield* explainAttribute(userIdentifier)]
      : [yield* explainIdentifier(userIdentifier), ...explained];
  }

  function* explainAttribute({ attribute = "", patterns }: UserIdentifierCondition): Steps<ExplainedCondition> {
    let texts = attributes.get(attribute);
    if (!texts) attributes.set(attribute, (texts = yield* foldAttribute(profile, attribute)));
    const folded = patterns.map(({ matchType, value }) => ({ matchType, value: foldIdentifier(value) }));
    let holds = false;
    for (const text of texts) {
      holds ||= folded.some((pattern) => matchesPattern(pattern, text));
      yield text.length / SEARCHED_PER_COST;
    }
    const value = profile && Object.hasOwn(profile, attribute) ? profile[attribute] : null;
    return { condition: "userIdentifier", holds, attribute, value };
  }

  function* explainIdentifier({ patterns }: UserIdentifierCondition): Steps<ExplainedCondition> {
    for (const pattern of patterns) {
      if (matchesUnfolded(pattern, login)) {
        return { condition: "userIdentifier", holds: true, value: question.login, pattern };
      }
      yield 1 + costOfUnfolded(pattern, login);
    }
    return { condition: "userIdentifier", holds: false, value: question.login };
  }

  function explainCriteria({ actions: { idp } }: Rule): ExplainedCondition[] {
    if (idp.idpSelectionType !== "DYNAMIC") return [];
    const { value, provider } = compileCriteria(idp)(createLoginTexts(question.login));
    return [{ condition: "matchCriteria", holds: provider !== undefined, value, provider: provider ?? null }];
  }
}

function countZones({ include = [], exclude = [] }: Partial<NetworkCondition> = {}): number {
  return include.length + exclude.length;
}
