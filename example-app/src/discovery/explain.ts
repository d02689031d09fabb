import type { Idp, Rule, Zone } from "../model/records.js";
import { createConditionCompiler, type Profile, type Question } from "./conditions.js";
import { foldIdentifier, matchesPattern } from "./identifier.js";
import type { ClientPlatform } from "./platform.js";

/** What became of a rule: its conditions hold, one does not, or it was passed over. */
export interface Explanation {
  readonly result: "MATCH" | "NO_MATCH" | "SKIPPED";
  /** Why a rule was passed over. */
  readonly reason?: "INACTIVE" | "NO_ACTIVE_PROVIDER";
  /** All of the rule's conditions, also behind one that does not hold; none of a rule that was passed over. */
  readonly conditions: readonly ExplainedCondition[];
}

/** A condition, and what it saw. */
export type ExplainedCondition =
  | {
      readonly condition: "userIdentifier";
      readonly holds: boolean;
      /** The login, or the value of `attribute`: `null` when the user, or the attribute, is absent. */
      readonly value?: unknown;
      readonly attribute?: string;
      /** The first pattern that matches. */
      readonly pattern?: { readonly matchType: string; readonly value: string };
    }
  | { readonly condition: "network"; readonly holds: boolean; readonly value: string | null }
  | { readonly condition: "platform"; readonly holds: boolean; readonly value: ClientPlatform };

export interface ExplainerOptions {
  idps: readonly Idp[];
  zones: readonly Zone[];
  question: Question;
  profile: Profile | undefined;
  /** Whether values of the profile are told; else only whether they match. */
  tellsProfile: boolean;
}

/**
 * A function that says what becomes of a rule when `question` reaches it. It tries the rule by itself, without the index
 * over all rules that answers are found with: the first MATCH by priority is the rule that `compileRouting` finds.
 */
export function createExplainer(options: Readonly<ExplainerOptions>): (rule: Rule) => Explanation {
  const { idps, zones, question, profile, tellsProfile } = options;
  const active = new Set(idps.filter(({ status }) => status === "ACTIVE").map(({ id }) => id));
  const compileConditions = createConditionCompiler(zones);

  return function explain(rule) {
    if (rule.status !== "ACTIVE") return { result: "SKIPPED", reason: "INACTIVE", conditions: [] };
    if (rule.system) return { result: "MATCH", conditions: [] };
    if (!rule.actions.idp.providers.some(({ id }) => id === undefined || active.has(id))) {
      return { result: "SKIPPED", reason: "NO_ACTIVE_PROVIDER", conditions: [] };
    }
    const conditions = explainConditions(rule);
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
        ...(tellsProfile && { value }),
      });
      return explained;
    }
    return [...explainIdentifier(rule), ...explained];
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
