import { isDeepStrictEqual } from "node:util";
import { setImmediate } from "node:timers/promises";
import type { Request, RequestHandler } from "express";
import { z } from "zod";
import { analyseInSteps } from "../discovery/analysis/analyse.js";
import { applyChange } from "../discovery/analysis/change.js";
import { compareFindings } from "../discovery/analysis/compare.js";
import { compareSamples, sampleRules } from "../discovery/analysis/rule-samples.js";
import { createScopeCheck } from "../access/scope.js";
import { applyToRules, createChangedRouting, type RuleChange } from "../discovery/changed-routing.js";
import { compileRoutingInSteps } from "../discovery/compile-routing.js";
import type { Question } from "../discovery/conditions.js";
import type { Rule } from "../model/records.js";
import { invalid, parseBody } from "../rest/body.js";
import { findRecord, resourceNotFound } from "../rest/reading.js";
import { json, type ApiDependencies, type Resource } from "../rest/resource.js";
import { readActiveRules, readRoutingData } from "../store/records/routing-data.js";
import { RULES } from "../store/records/rules.js";
import type { Db } from "../store/contract/schema.js";
import type { Store } from "../store/store.js";
import { departureOf } from "../pace/departure.js";
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
import { createLogReplay } from "./replay/replay-log.js";
import { presentOutcome, presentSample } from "./routing-outcome.js";
import { assertRemovable, createRuleDrafts, type RuleDrafts } from "./rule-drafts.js";
import { RULE } from "./rules.js";
import { placeChange } from "./shadow-guard.js";

const BODY_SHAPE = createPreviewShape(z.unknown(), "");
type Body = z.infer<typeof BODY_SHAPE>;

/** Each preview may compile the rules of its org once more, which takes memory; so many of an org may wait. */
const TURNS = { size: 4, share: 1, maxWaiting: 20, patience: 60_000 };

/** The same of replays, which also keep logins in memory and take longer. */
const REPLAY_TURNS = { size: 2, share: 1, maxWaiting: 4, patience: 60_000 };

/** Shows what a change to a rule would do to logins, see docs/reference/api/discovery-trace.md. Nothing is changed. */
export function previewResources(dependencies: ApiDependencies): Resource[] {
  const { store, settings, routings } = dependencies;
  const drafts = createRuleDrafts(settings);
  const previewChange = createPreview(dependencies, drafts);
  const replayLog = createLogReplay(dependencies, drafts.orgType);
  const [turns, replayTurns] = [createTurns(TURNS), createTurns(REPLAY_TURNS)];

  const preview: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const signal = departureOf(res);
    const data = store.forOrg(org.id, signal);
    const answer = async (): Promise<object> => {
      const { replayed, ...previewed } = await atOneRevision({ routings, orgId: org.id, data }, (routing, read) =>
        previewChange(req, routing, read),
      );
      return { ...previewed, ...(replayed && { replay: await replayLog(req, replayed, signal) }) };
    };
    const isReplay = (req.body as Partial<Body> | undefined)?.since !== undefined;
    res.json(await (isReplay ? replayTurns : turns).run(org.id, answer, signal));
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

function createPreview({ store, settings, analyses, nextTurn = setImmediate }: ApiDependencies, drafts: RuleDrafts) {
  const { orgType } = drafts;
  const guardProfile = createProfileGuard(settings);
  const assertReadsLog = createScopeCheck(settings, "logs.read");

  return async (req: Request, { route, records, run, revision }: CompiledRouting, read: ReadWithRouting) => {
    const { org } = getTenant(req);
    const { body, change } = await read(async (db) => {
      await findRecord(POLICY, db, req);
      const body = parseBody(BODY_SHAPE, req.body);
      if (body.since !== undefined) assertReadsLog(req, "since: a replay of the log");
      return { body, change: await draftChange(drafts, req, db, body) };
    });
    const compile = (rules: Iterable<Rule>) => run(compileRoutingInSteps({ rules, records }, run));
    const priorities = new Map<string, Promise<number>>();
    const findPriority = (id: string) => {
      const found = priorities.get(id) ?? read((db) => readPriority(db, org.id, id));
      priorities.set(id, found);
      return found;
    };
    const compileAll = async (changes: RuleChange) =>
      compile(applyToRules(await read((db) => readActiveRules(db, org.id)), changes));
    const changed = createChangedRouting({
      change,
      current: route,
      own: await compile(change.after ? [change.after] : []),
      compileOthers: () => compileAll({ ...change, after: undefined }),
      findPriority,
    });
    const results: object[] = [];
    for (const login of body.logins ?? []) {
      const question = guardProfile(req, createQuestion(req, store, login), "preview");
      const before = presentOutcome(await route(question), change, orgType);
      const after = presentOutcome(await changed(question), change, orgType);
      const isSame = isDeepStrictEqual(before.providers, after.providers);
      results.push({ login: login.login, changed: !isSame, before, after });
    }
    const known = await analyses.get(org.id);
    const { data: stored, placed } = await read(async (db) => ({
      data: known?.revision === revision ? undefined : await readRoutingData(db, org.id),
      placed: await placeChange(db, org.id, change),
    }));
    const analysed = stored ? await analyses.analyse(org.id, stored) : known;
    const findings = analysed && (await compareChange(analysed, placed));
    const { samples: wantsSamples = false, since } = body;
    const found = analysed && wantsSamples ? await findSamples(analysed, placed) : undefined;
    const compared = found && (await compareSamples(found, route, changed, nextTurn));
    const samples = compared?.map((sample) => presentSample(sample, orgType, change));
    const replayed =
      since === undefined ? undefined : { change, since, current: route, changed: await compileAll(change), run };
    return { results, ...(samples && { samples }), findings, replayed };
  };
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

/** Of the rules as they are, and each login of the changed one as it would be. */
async function findSamples({ policy, run }: AnalysedOrg, { after }: RuleChange) {
  const changed = after?.status === "ACTIVE" && !after.system ? [await run(policy.compile(after))] : [];
  const own = await run(sampleRules(policy, changed));
  const each = own.flatMap(({ logins, ...sample }) => logins.map((login) => ({ ...sample, logins: [login] })));
  return [...(await run(sampleRules(policy, policy.rules))), ...each];
}

function createQuestion(
  req: Request,
  store: Pick<Store, "findUserProfile">,
  { login, ...client }: NonNullable<Body["logins"]>[number],
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

/** `Infinity` for the default rule. */
async function readPriority(db: Db, orgId: string, id: string): Promise<number> {
  const { system = true, priority = Infinity }: Partial<Rule> = (await RULES.find(db, orgId, id)) ?? {};
  return system ? Infinity : priority;
}
