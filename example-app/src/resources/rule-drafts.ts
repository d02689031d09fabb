import { isDeepStrictEqual } from "node:util";
import type { Request } from "express";
import { compileNamespace } from "etiquette/namespace";
import type { z } from "zod";
import { apiError, type ApiError } from "../model/api-error.js";
import { createId } from "../model/ids.js";
import type { Rule, RuleConditions } from "../model/records.js";
import type { ApiSettings } from "../rest/resource.js";
import { createScopeCheck } from "../rest/scope.js";
import type { Db } from "../store/schema.js";
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

    create:
      (req: Request, parse: RuleParser) =>
      async (place: Place, orgId: string): Promise<Rule> => {
        const { name, status = "ACTIVE", conditions = {}, actions, priority = Infinity } = parse(shape);
        assertCondition(req, conditions);
        const stamps = { created: place.now, lastUpdated: place.now };
        const values = { name, status, conditions, actions: toActions(actions) };
        await assertReferences(place, orgId, values);
        return { id: createId(), priority, system: false, ...values, ...stamps };
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
    assertCondition(req, conditions, before.conditions);
    return {
      ...before,
      name,
      conditions,
      actions: toActions(actions),
      status: status ?? before.status,
      priority: priority ?? before.priority,
    };
  }

  /** A rule with a condition on an attribute tells whether the profile of anybody matches it, so a new one takes more. */
  function assertCondition(req: Request, { userIdentifier }: RuleConditions, before?: RuleConditions): void {
    if (userIdentifier?.type !== "ATTRIBUTE" || isDeepStrictEqual(userIdentifier, before?.userIdentifier)) return;
    assertReadsUsers(req, "conditions.userIdentifier: a condition on an attribute");
  }
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
