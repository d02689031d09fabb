import type { Rule } from "../model/records.js";
import type { IdentifierPattern } from "../model/rule-shapes.js";
import { createConditionCompiler, type Profile, type Question } from "./conditions.js";
import { foldIdentifier, matchesPattern } from "./identifier.js";
import type { ClientPlatform } from "./platform.js";
import { createCriteriaCompiler, findActiveProviders, type NamedProvider, type RoutedIdp } from "./providers.js";
import type { ZoneFinder } from "./zones.js";

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
  idps: readonly RoutedIdp[];
  findZones: ZoneFinder;
  question: Question;
  profile: Profile | undefined;
}

/**
 * A function that explains what happens when `question` reaches a rule. It tries each rule by itself and does not use
 * the index of `compileRouting`. The first MATCH by priority is the rule that `compileRouting` finds.
 */
export function createExplainer(options: Readonly<ExplainerOptions>): (rule: Rule) => Explanation {
  const { idps, findZones, question, profile } = options;
  const active = findActiveProviders(idps);
  const compileCriteria = createCriteriaCompiler(active);
  const compileConditions = createConditionCompiler(findZones);

  return function explain(rule) {
    if (rule.status !== "ACTIVE") return { result: "SKIPPED", reason: "INACTIVE", conditions: [] };
    if (rule.system) return { result: "MATCH", conditions: [] };
    const { idp } = rule.actions;
    if (idp.idpSelectionType === "SPECIFIC" && !idp.providers.some(({ id }) => id === undefined || active.has(id))) {
      return { result: "SKIPPED", reason: "NO_ACTIVE_PROVIDER", conditions: [] };
    }
    const conditions = [...explainConditions(rule), ...explainCriteria(rule)];
    return { result: conditions.every(({ holds }) => holds) ? "MATCH" : "NO_MATCH", conditions };
  };

  function explainConditions(rule: Rule): ExplainedCondition[] {
    const { conditions, attribute } = compileConditions(rule);
    const explained = conditions.map((condition): ExplainedCondition => {
      const holds = condition.holds(question);
      return condition.name === "network"
        ? { condition: "network", holds, value: question.clientIp ?? null }
        : { condition: "platform", holds, value: question.platform };
    });
    if (attribute) {
      const name = attribute.attribute;
      const value = profile && Object.hasOwn(profile, name) ? profile[name] : null;
      explained.push({
        condition: "userIdentifier",
        holds: attribute.holds(profile),
        attribute: name,
        value,
      });
      return explained;
    }
    return [...explainIdentifier(rule), ...explained];
  }

  function explainCriteria({ actions: { idp } }: Rule): ExplainedCondition[] {
    if (idp.idpSelectionType !== "DYNAMIC") return [];
    const { value, provider } = compileCriteria(idp)(question.login);
    return [{ condition: "matchCriteria", holds: provider !== undefined, value, provider: provider ?? null }];
  }

  function explainIdentifier({ conditions: { userIdentifier } }: Rule): ExplainedCondition[] {
    const { patterns = [] } = userIdentifier ?? {};
    if (patterns.length === 0) return [];
    const text = foldIdentifier(question.login);
    const pattern = patterns.find(({ matchType, value }) =>
      matchesPattern({ matchType, value: foldIdentifier(value) }, text),
    );
    return [
      {
        condition: "userIdentifier",
        holds: pattern !== undefined,
        value: question.login,
        ...(pattern && { pattern }),
      },
    ];
  }
}
