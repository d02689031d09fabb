import { isDeepStrictEqual } from "node:util";
import type { Request, RequestHandler } from "express";
import { z } from "zod";
import { analyseInSteps } from "../discovery/analysis/analyse.js";
import { applyChange } from "../discovery/analysis/change.js";
import { compareFindings } from "../discovery/analysis/compare.js";
import { createChangedRouting, type RuleChange } from "../discovery/changed-routing.js";
import { compileRoutingInSteps, type Answer } from "../discovery/compile-routing.js";
import type { Question } from "../discovery/conditions.js";
import type { Rule } from "../model/records.js";
import { invalid, parseBody } from "../rest/body.js";
import { findRecord, resourceNotFound } from "../rest/reading.js";
import { json, type ApiDependencies, type Resource } from "../rest/resource.js";
import { readActiveRules, readRoutingData } from "../store/records/routing-data.js";
import { RULES } from "../store/records/rules.js";
import type { Db } from "../store/contract/schema.js";
import type { Store } from "../store/store.js";
import { createTurns } from "../pace/turns.js";
import type { AnalysedOrg } from "../tenancy/analysis-cache.js";
import type { CompiledRouting } from "../tenancy/routing-cache.js";
import { getTenant } from "../tenancy/tenant.js";
import { atOneRevision, type ReadWithRouting } from "./current-routing.js";
import { presentCompared } from "./finding-shapes.js";
import { imagineClient } from "./imagined-client.js";
import { POLICY } from "./policies.js";
import { createPreviewShape, PREVIEW_SHAPE } from "./preview-shapes.js";
import { createProfileGuard } from "./profile-guard.js";
import { assertRemovable, createRuleDrafts, type RuleDrafts } from "./rule-drafts.js";
import { RULE } from "./rules.js";
import { placeChange } from "./shadow-guard.js";

const BODY_SHAPE = createPreviewShape(z.unknown(), "");
type Body = z.infer<typeof BODY_SHAPE>;

/** Each preview may compile the rules of its org once more, which takes memory; so many of an org may wait. */
const TURNS = { size: 4, share: 1, maxWaiting: 20, patience: 60_000 };

/** Shows what a change to a rule would do to logins, see docs/reference/api/discovery-trace.md. Nothing is changed. */
export function previewResources({ store, settings, routings, analyses }: ApiDependencies): Resource[] {
  const drafts = createRuleDrafts(settings);
  const guardProfile = createProfileGuard(settings);
  const turns = createTurns(TURNS);

  const preview: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const data = store.forOrg(org.id);
    const work = async ({ route, records, run, revision }: CompiledRouting, read: ReadWithRouting): Promise<object> => {
      const { body, change } = await read(async (db) => {
        await findRecord(POLICY, db, req);
        const body = parseBody(BODY_SHAPE, req.body);
        return { body, change: await draftChange(drafts, req, db, body) };
      });
      const compile = (rules: Iterable<Rule>) => run(compileRoutingInSteps({ rules, records }, run));
      const changed = createChangedRouting({
        change,
        current: route,
        own: await compile(change.after ? [change.after] : []),
        compileOthers: async () => compile(without(await read((db) => readActiveRules(db, org.id)), change.before?.id)),
        findPriority: (id) => read((db) => findPriority(db, org.id, id)),
      });
      const outcomes: object[] = [];
      for (const login of body.logins) {
        const question = guardProfile(req, createQuestion(req, store, login), "preview");
        const before = presentAnswer(await route(question), change, drafts.orgType);
        const after = presentAnswer(await changed(question), change, drafts.orgType);
        const isSame = isDeepStrictEqual(before.providers, after.providers);
        outcomes.push({ login: login.login, changed: !isSame, before, after });
      }
      const known = await analyses.get(org.id);
      const { data: stored, placed } = await read(async (db) => ({
        data: known?.revision === revision ? undefined : await readRoutingData(db, org.id),
        placed: await placeChange(db, org.id, change),
      }));
      const analysed = stored ? await analyses.analyse(org.id, stored) : known;
      return { results: outcomes, findings: analysed && (await compareChange(analysed, placed)) };
    };
    res.json(await turns.run(org.id, () => atOneRevision({ routings, orgId: org.id, data }, work)));
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

async function compareChange(analysed: AnalysedOrg, change: RuleChange) {
  const { policy, run } = analysed;
  const after = await run(analyseInSteps(await run(applyChange(policy, change))));
  const compared = await run(compareFindings(await analysed.findings(), after));
  return presentCompared(compared, change.before ? undefined : change.after?.id);
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

function createQuestion(
  req: Request,
  store: Pick<Store, "findUserProfile">,
  { login, ...client }: Body["logins"][number],
): Question {
  const { org } = getTenant(req);
  const { ipAddress, platform } = imagineClient(req, client);
  return {
    login,
    clientIp: ipAddress ?? undefined,
    platform,
    lookupProfile: (names) => store.findUserProfile(org.id, login, names),
  };
}

function* without(rules: Iterable<Rule>, id: string | undefined): Iterable<Rule> {
  for (const rule of rules) if (rule.id !== id) yield rule;
}

/** `Infinity` for the default rule. */
async function findPriority(db: Db, orgId: string, id: string): Promise<number> {
  const { system = true, priority = Infinity }: Partial<Rule> = (await RULES.find(db, orgId, id)) ?? {};
  return system ? Infinity : priority;
}
