import type { Request } from "express";
import { describeRule, toLogEntity } from "../audit/describe-change.js";
import type { Rule } from "../model/records.js";
import { parseBody } from "../rest/body.js";
import { crudResources, lifecycle, SWITCHES, type CrudEvent } from "../rest/crud.js";
import type { ResourceType } from "../rest/resource-type.js";
import { findRecord } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { RULE_ORDER, RULES } from "../store/records/rules.js";
import type { RuleRow } from "../store/contract/schema.js";
import { POLICY } from "./policies.js";
import { assertRemovable, createRuleDrafts, defaultRuleError, type RuleParser } from "./rule-drafts.js";
import { createShadowGuard } from "./shadow-guard.js";
import { createTestGuard } from "./test-guard.js";
import { createSentRuleShape, presentRule } from "./rule-shape.js";

export const RULE = { label: "PolicyRule", path: `${POLICY.path}/rules/:ruleId` };

/** The rules of the discovery policy, see docs/reference/api/policies.md. */
export function ruleResources(dependencies: ApiDependencies): Resource[] {
  const drafts = createRuleDrafts(dependencies.settings);
  const { orgType } = drafts;
  const shadows = createShadowGuard(dependencies);

  const type: ResourceType<RuleRow, Rule, CrudEvent> = {
    ...RULE,
    name: "Rule",
    shape: createSentRuleShape(orgType),
    relations: SWITCHES,
    cors: ["read"],
    table: RULES,
    isRouted: true,
    guard: createTestGuard(dependencies),
    taken: "another rule has it already",
    findParents: async (db, req) => [toLogEntity(await findRecord(POLICY, db, req), POLICY.label)],
    select: () => ({ order: RULE_ORDER }),
    format: (rule) => presentRule(rule, orgType),
    links: (rule, url) => (rule.system ? {} : lifecycle.format(rule.status, `${url}/lifecycle`)),
    describe: describeRule,
  };

  return crudResources(
    type,
    {
      body: drafts.shape,
      replacement: drafts.defaultShape, // only the default rule may come without its name
      writes: shadows.writes,
      create(req) {
        const draft = drafts.create(req, parserOf(req));
        return async (transaction, orgId) => {
          const after = await draft(transaction, orgId);
          await shadows.follow(transaction, orgId, { before: undefined, after }, shadows.isAllowed(req));
          return after;
        };
      },
      replace(req) {
        const draft = drafts.replace(req, parserOf(req));
        return async (before, transaction, orgId) => {
          const after = await draft(before, transaction, orgId);
          await shadows.follow(transaction, orgId, { before, after }, shadows.isAllowed(req));
          return after;
        };
      },
      async assertSwitchable(before, status, req, transaction, orgId) {
        if (before.system) throw defaultRuleError("status");
        const after = { ...before, status };
        drafts.assertCondition(req, after, before);
        await shadows.follow(transaction, orgId, { before, after }, shadows.isAllowed(req));
      },
      async assertRemovable(before, transaction, orgId) {
        assertRemovable(before);
        await shadows.follow(transaction, orgId, { before, after: undefined }, true);
      },
    },
    dependencies,
  );
}

function parserOf(req: Request): RuleParser {
  return (shape) => parseBody(shape, req.body);
}
