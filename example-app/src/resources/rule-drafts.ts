import { isDeepStrictEqual } from "node:util";
import type { Request } from "express";
import { compileNamespace } from "etiquette/namespace";
import type { z } from "zod";
import { apiError, type ApiError } from "../model/api-error.js";
import { createId } from "../model/ids.js";
import type { Rule } from "../model/records.js";
import type { ApiSettings } from "../model/api-settings.js";
import { createScopeCheck } from "../access/scope.js";
import type { Db } from "../store/contract/schema.js";
import { assertReferences } from "./rule-references.js";
import { createApiRuleShape, createDefaultRuleShape, findReadOnly, toActions } from "./rule-shape.js";

/** Reads the rule in a body as `shape` wants it. */
export type RuleParser = <T>(shape: z.ZodType<T>) => T;

/** Where records are read, and the time of the change. */
interface Place {
  readonly db: Db;
  readonly now: string;
}

export type RuleDrafts = ReturnType<typeof createRuleDrafts>;

/** What bodies make of rules: new ones, and replacements of those that are there. Nothing is written. */
export function createRuleDrafts(settings: Pick<ApiSettings, "namespace">) {
  const orgType = compileNamespace("api", settings.namespace).value;
  const shape = createApiRuleShape(orgType);
  const defaultShape = createDefaultRuleShape(orgType);
  const assertReadsUsers = createScopeCheck(settings, "users.read");

  return {
    orgType,
    shape,
    defaultShape,
    assertCondition,

    create:
      (req: Request, parse: RuleParser) =>
      async (place: Place, orgId: string): Promise<Rule> => {
        const { name, status = "ACTIVE", conditions = {}, actions, priority = Infinity } = parse(shape);
        const stamps = { created: place.now, lastUpdated: place.now };
        const values = { name, status, conditions, actions: toActions(actions) };
        const rule = { id: createId(), priority, system: false, ...values, ...stamps };
        assertCondition(req, rule);
        await assertReferences(place, orgId, values);
        return rule;
      },

    replace:
      (req: Request, parse: RuleParser) =>
      async (before: Rule, place: Place, orgId: string): Promise<Rule> => {
        const after = before.system ? replaceDefault(before, parse) : replaceOrdinary(req, before, parse);
        await assertReferences(place, orgId, after);
        return after;
      },
  };

  function replaceDefault(before: Rule, parse: RuleParser): Rule {
    const values = parse(defaultShape);
    const attribute = findReadOnly(values, before);
    if (attribute !== undefined) throw defaultRuleError(attribute);
    return { ...before, actions: toActions(values.actions), conditions: {} };
  }

  function replaceOrdinary(req: Request, before: Rule, parse: RuleParser): Rule {
    const { name, status, conditions = {}, actions, priority } = parse(shape);
    const after: Rule = {
      ...before,
      name,
      conditions,
      actions: toActions(actions),
      status: status ?? before.status,
      priority: priority ?? before.priority,
    };
    assertCondition(req, after, before);
    return after;
  }

  /**
   * A rule with a condition on an attribute tells whether the profile of anybody matches it. So it takes more to make such a
   * condition, and to let an active rule with one decide otherwise.
   *
   * @throws {ApiError} E0000006 when the caller may not read users
   */
  function assertCondition(req: Request, after: Rule, before?: Rule): void {
    const { userIdentifier } = after.conditions;
    if (userIdentifier?.type !== "ATTRIBUTE") return;
    const isKept = isDeepStrictEqual(userIdentifier, before?.conditions.userIdentifier);
    const isSilent =
      after.status === "INACTIVE" || (before && isDeepStrictEqual(decisionOf(after), decisionOf(before)));
    if (isKept && isSilent) return;
    assertReadsUsers(req, "conditions.userIdentifier: a condition on an attribute");
  }
}

/** What a rule decides, and for whom. */
function decisionOf({ status, conditions, actions, priority }: Rule): Partial<Rule> {
  return { status, conditions, actions, priority };
}

/** @throws {ApiError} E0000006 for the default rule */
export function assertRemovable({ system }: Rule): void {
  if (!system) return;
  const causes = ["The default rule can't be deleted: there is always an answer."];
  throw apiError("E0000006", { type: "rule.default", causes });
}

export function defaultRuleError(attribute: string): ApiError {
  const causes = [`${attribute}: of the default rule it can't change; only its actions can.`];
  return apiError("E0000077", { type: "attribute.read-only", detail: attribute, causes });
}
