import { isDeepStrictEqual } from "node:util";
import type { Request } from "express";
import { compileNamespace } from "etiquette/namespace";
import { describeRule, toLogEntity } from "../audit/describe-change.js";
import { apiError, type ApiError } from "../model/api-error.js";
import { createId } from "../model/ids.js";
import type { Rule, RuleConditions } from "../model/records.js";
import { parseBody } from "../rest/body.js";
import { crudResources, lifecycle, SWITCHES, type CrudEvent } from "../rest/crud.js";
import type { Kind } from "../rest/kind.js";
import { findRecord } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { createScopeCheck } from "../rest/scope.js";
import type { Edit } from "../rest/writing.js";
import { RULE_ORDER, RULES } from "../store/rules.js";
import type { RuleRow } from "../store/schema.js";
import { POLICY } from "./policies.js";
import { assertReferences } from "./rule-references.js";
import {
  createApiRuleShape,
  createDefaultRuleShape,
  createSentRuleShape,
  findReadOnly,
  presentRule,
  toActions,
} from "./rule-shape.js";

export const RULE = { label: "PolicyRule", path: `${POLICY.path}/rules/:ruleId` };

/** The rules of the discovery policy, see docs/api/policies.md. */
// eslint-disable-next-line max-lines-per-function -- its handlers share what they are built over
export function ruleResources(dependencies: ApiDependencies): Resource[] {
  const orgType = compileNamespace("api", dependencies.settings.namespace).value;
  const shape = createApiRuleShape(orgType);
  const defaultShape = createDefaultRuleShape(orgType);
  const assertReadsUsers = createScopeCheck(dependencies.settings, "users.read");

  const kind: Kind<RuleRow, Rule, CrudEvent> = {
    ...RULE,
    name: "Rule",
    shape: createSentRuleShape(orgType),
    relations: SWITCHES,
    cors: ["read"],
    table: RULES,
    isRouted: true,
    taken: "another rule has it already",
    findParents: async (db, req) => [toLogEntity(await findRecord(POLICY, db, req), POLICY.label)],
    select: () => ({ order: RULE_ORDER }),
    format: (rule) => presentRule(rule, orgType),
    links: (rule, url) => (rule.system ? {} : lifecycle.format(rule.status, `${url}/lifecycle`)),
    describe: describeRule,
  };

  const replaceDefault: Edit<Rule, Rule> = (req) => async (before, transaction, orgId) => {
    const values = parseBody(defaultShape, req.body);
    const attribute = findReadOnly(values, before);
    if (attribute !== undefined) throw defaultRuleError(attribute);
    const after = { ...before, actions: toActions(values.actions), conditions: {} };
    await assertReferences(transaction, orgId, after);
    return after;
  };

  const replaceOrdinary: Edit<Rule, Rule> = (req) => async (before, transaction, orgId) => {
    const { name, status, conditions = {}, actions, priority } = parseBody(shape, req.body);
    assertCondition(req, conditions, before.conditions);
    const after: Rule = {
      ...before,
      name,
      conditions,
      actions: toActions(actions),
      status: status ?? before.status,
      priority: priority ?? before.priority,
    };
    await assertReferences(transaction, orgId, after);
    return after;
  };

  return crudResources(
    kind,
    {
      body: shape,
      replacement: defaultShape, // only the default rule may come without its name
      create: (req) => async (transaction, orgId) => {
        const { name, status = "ACTIVE", conditions = {}, actions, priority = Infinity } = parseBody(shape, req.body);
        assertCondition(req, conditions);
        const stamps = { created: transaction.now, lastUpdated: transaction.now };
        const values = { name, status, conditions, actions: toActions(actions) };
        await assertReferences(transaction, orgId, values);
        return { id: createId(), priority, system: false, ...values, ...stamps };
      },
      replace:
        (req) =>
        (before, ...context) =>
          (before.system ? replaceDefault : replaceOrdinary)(req)(before, ...context),
      assertSwitchable({ system }) {
        if (system) throw defaultRuleError("status");
      },
      assertRemovable({ system }) {
        if (!system) return;
        const causes = ["The default rule can't be deleted: there is always an answer."];
        throw apiError("E0000006", { type: "rule.default", causes });
      },
    },
    dependencies,
  );

  /** A rule with a condition on an attribute tells whether the profile of anybody matches it, so a new one takes more. */
  function assertCondition(req: Request, { userIdentifier }: RuleConditions, before?: RuleConditions): void {
    if (userIdentifier?.type !== "ATTRIBUTE" || isDeepStrictEqual(userIdentifier, before?.userIdentifier)) return;
    assertReadsUsers(req, "conditions.userIdentifier: a condition on an attribute");
  }
}

function defaultRuleError(attribute: string): ApiError {
  const causes = [`${attribute}: of the default rule it can't change; only its actions can.`];
  return apiError("E0000077", { type: "attribute.read-only", detail: attribute, causes });
}
