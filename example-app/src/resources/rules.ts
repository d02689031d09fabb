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
import { createSentRuleShape, presentRule } from "./rule-shape.js";

export const RULE = { label: "PolicyRule", path: `${POLICY.path}/rules/:ruleId` };

/** The rules of the discovery policy, see docs/reference/api/policies.md. */
export function ruleResources(dependencies: ApiDependencies): Resource[] {
  const drafts = createRuleDrafts(dependencies.settings);
  const { orgType } = drafts;

  const type: ResourceType<RuleRow, Rule, CrudEvent> = {
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

  return crudResources(
    type,
    {
      body: drafts.shape,
      replacement: drafts.defaultShape, // only the default rule may come without its name
      create: (req) => drafts.create(req, parserOf(req)),
      replace: (req) => drafts.replace(req, parserOf(req)),
      assertSwitchable(rule, status, req) {
        if (rule.system) throw defaultRuleError("status");
        drafts.assertCondition(req, { ...rule, status }, rule);
      },
      assertRemovable,
    },
    dependencies,
  );
}

function parserOf(req: Request): RuleParser {
  return (shape) => parseBody(shape, req.body);
}
