import { isDeepStrictEqual } from "node:util";
import type { Request, RequestHandler } from "express";
import { z } from "zod";
import { createChangedRouting, type RuleChange } from "../discovery/changed-routing.js";
import { compileRouting, type Answer } from "../discovery/compile-routing.js";
import type { Question } from "../discovery/conditions.js";
import type { Rule } from "../model/records.js";
import { invalid, parseBody } from "../rest/body.js";
import { findRecord, resourceNotFound } from "../rest/reading.js";
import { json, type ApiDependencies, type Resource } from "../rest/resource.js";
import { readUserProfile } from "../store/queries.js";
import { RULES } from "../store/rules.js";
import type { Db } from "../store/schema.js";
import { getTenant } from "../tenancy/tenant.js";
import { compileRules, readRouting } from "./current-routing.js";
import { imagineClient } from "./imagined-client.js";
import { POLICY } from "./policies.js";
import { createPreviewShape, PREVIEW_SHAPE } from "./preview-shapes.js";
import { assertRemovable, createRuleDrafts, type RuleDrafts } from "./rule-drafts.js";
import { RULE } from "./rules.js";

const BODY_SHAPE = createPreviewShape(z.unknown(), "");
type Body = z.infer<typeof BODY_SHAPE>;

/** Shows what a change to a rule would do to logins, see docs/api/discovery-trace.md. Nothing is changed. */
export function previewResources({ store, settings, routings }: ApiDependencies): Resource[] {
  const drafts = createRuleDrafts(settings);

  const preview: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const cached = await routings.get(org.id);
    const results = await store.forOrg(org.id).read(async (db) => {
      await findRecord(POLICY, db, req);
      const body = parseBody(BODY_SHAPE, req.body);
      const change = await draftChange(drafts, req, db, body);
      const { idps, zones, route: current } = await readRouting(db, org.id, cached);
      const changed = createChangedRouting({
        change,
        current,
        own: compileRouting({ rules: change.after ? [change.after] : [], idps, zones }),
        compileOthers: () => compileRules(db, org.id, { idps, zones }, change.before?.id),
        findPriority: (id) => findPriority(db, org.id, id),
      });
      const outcomes: object[] = [];
      for (const login of body.logins) {
        const question = createQuestion(req, db, org.id, login);
        const before = presentAnswer(await current(question), change, drafts.orgType);
        const after = presentAnswer(await changed(question), change, drafts.orgType);
        const isSame = isDeepStrictEqual(before.providers, after.providers);
        outcomes.push({ login: login.login, changed: !isSame, before, after });
      }
      return outcomes;
    });
    res.json({ results });
  };

  return [
    {
      path: `${POLICY.path}/preview`,
      operations: {
        POST: {
          id: "previewRuleChange",
          summary: "Preview what a change to a rule does to logins",
          scope: "policies.manage",
          isSafe: true,
          bodies: json("RulePreviewInput", createPreviewShape(drafts.defaultShape, drafts.orgType)),
          sent: { content: { name: "RulePreview", shape: PREVIEW_SHAPE } },
          handlers: [preview],
        },
      },
    },
  ];
}

/** The change in a body, checked as if it were made now. */
async function draftChange(
  drafts: RuleDrafts,
  req: Request,
  db: Db,
  { ruleId, rule }: Readonly<Pick<Body, "ruleId" | "rule">>,
): Promise<RuleChange> {
  const { org } = getTenant(req);
  const place = { db, now: new Date().toISOString() };
  const parse = <T>(shape: z.ZodType<T>): T => parseBody(z.strictObject({ rule: shape }), { rule }).rule;
  if (ruleId === undefined) {
    if (rule === undefined) throw invalid([["rule", "is required, unless ruleId names the rule to delete"]]);
    return { before: undefined, after: await drafts.create(req, parse)(place, org.id) };
  }
  const before = await RULES.find(db, org.id, ruleId);
  if (!before) throw resourceNotFound(ruleId, RULE.label);
  if (rule !== undefined) return { before, after: await drafts.replace(req, parse)(before, place, org.id) };
  assertRemovable(before);
  return { before, after: undefined };
}

/** A new rule has no id yet. */
function presentAnswer({ rule: { id, name }, providers }: Answer, { before, after }: RuleChange, orgType: string) {
  const isNew = before === undefined && id === after?.id;
  return {
    rule: isNew ? { name } : { id, name },
    providers: providers.map((provider) => {
      if (provider === "org") return { type: orgType };
      return { type: provider.type, id: provider.id, name: provider.name };
    }),
  };
}

function createQuestion(req: Request, db: Db, orgId: string, { login, ...client }: Body["logins"][number]): Question {
  const { ipAddress, platform } = imagineClient(req, client);
  let profile: ReturnType<Question["lookupProfile"]> | undefined;
  return {
    login,
    clientIp: ipAddress ?? undefined,
    platform,
    lookupProfile: () => (profile ??= readUserProfile(db, orgId, login)),
  };
}

/** `Infinity` for the default rule. */
async function findPriority(db: Db, orgId: string, id: string): Promise<number> {
  const { system = true, priority = Infinity }: Partial<Rule> = (await RULES.find(db, orgId, id)) ?? {};
  return system ? Infinity : priority;
}
