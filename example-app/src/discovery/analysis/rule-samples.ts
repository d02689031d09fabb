import { isDeepStrictEqual } from "node:util";
import type { Rule } from "../../model/records.js";
import type { NextTurn } from "../../pace/slices.js";
import type { Steps } from "../../pace/steps.js";
import type { Answer, Routing } from "../compile-routing.js";
import type { Question } from "../conditions.js";
import { costOfFolding } from "../identifier.js";
import { UNKNOWN_PLATFORM } from "../platform.js";
import { createLoginTexts } from "../providers.js";
import { UNCONDITIONAL, type SampleClient } from "./conditions.js";
import type { AnalysedPolicy, AnalysedRule } from "./policy.js";
import { matchesAll, proposeLogins } from "./samples.js";

/** Logins and a client that the conditions of a rule take. An earlier rule may take some of them. */
export interface RuleSample extends SampleClient {
  readonly ruleId: Rule["id"];
  /** At most {@link MAX_LOGINS}. */
  readonly logins: readonly string[];
}

export interface ComparedSample extends SampleClient {
  readonly login: string;
  /** Whether other providers sign the login in, or in another order. */
  readonly changed: boolean;
  readonly before: Answer;
  readonly after: Answer;
}

/** Rules that have a sample: the first ones. */
export const MAX_SAMPLED = 200;

/** Logins of a rule, each of another pattern, and providers by whose names a rule may select. */
const MAX_LOGINS = 3;
const MAX_NAMES = 8;

/** What finding a sample costs, and each login that is tried beside its folding, see {@link Steps}. */
const SAMPLE_COST = 20;
const LOGIN_COST = 2;

/** Samples that are compared in one turn of the event loop. */
const SAMPLES_PER_TURN = 4;

/** Nobody has these logins, and only the default rule is sure to take the empty one. */
const DEFAULT_LOGINS = ["joe@elsewhere.example", ""];

/** A sample of each rule but those that match nobody or ask for an attribute. */
export function* sampleRules(policy: AnalysedPolicy, rules: readonly AnalysedRule[]): Steps<RuleSample[]> {
  const samples: RuleSample[] = [];
  for (const rule of rules.slice(0, MAX_SAMPLED)) {
    if (rule.attribute !== undefined || rule.never !== undefined) continue;
    yield SAMPLE_COST;
    const client = policy.findClient(rule.conditions, UNCONDITIONAL);
    const logins = yield* findLogins(policy, rule);
    if (client && logins.length > 0) samples.push({ ruleId: rule.id, logins, ...client });
  }
  return samples;
}

function* findLogins(policy: AnalysedPolicy, { patterns, providers: { criteria } }: AnalysedRule): Steps<string[]> {
  const found = new Set<string>();
  for (const pattern of patterns.length === 0 ? [undefined] : patterns.slice(0, MAX_LOGINS)) {
    for (const login of criteria ? proposeNames(policy) : proposeLogins(pattern, undefined)) {
      yield LOGIN_COST + costOfFolding(login);
      if (!matchesAll(login, [pattern])) continue;
      if (criteria && criteria(createLoginTexts(login)).provider === undefined) continue;
      found.add(login);
      break;
    }
  }
  return [...found];
}

function* proposeNames({ providers }: AnalysedPolicy): Iterable<string> {
  let count = 0;
  for (const { name } of providers.values()) {
    if (count++ === MAX_NAMES) return;
    yield* [`joe@${name}`, name, `${name}@example.com`];
  }
}

/** Ask two routings for the samples, and for one of the default rule. Nobody's profile is read: nobody has these logins. */
export async function compareSamples(
  samples: readonly RuleSample[],
  before: Routing,
  after: Routing,
  nextTurn: NextTurn,
): Promise<ComparedSample[]> {
  const { rule } = await before(toQuestion("", {}));
  const compared: ComparedSample[] = [];
  for (const [i, { ruleId, logins, ...client }] of [
    ...samples,
    { ruleId: rule.id, logins: DEFAULT_LOGINS },
  ].entries()) {
    if (i % SAMPLES_PER_TURN === 0) await nextTurn();
    const [login, old] = await findOwn(before, ruleId, logins, client);
    const changed = await after(toQuestion(login, client));
    const isSame = isDeepStrictEqual(old.providers, changed.providers);
    compared.push({ login, ...client, changed: !isSame, before: old, after: changed });
  }
  return compared;
}

/** The first login that the rule itself decides now, or else the last. */
async function findOwn(
  route: Routing,
  ruleId: string,
  [login = "", ...others]: readonly string[],
  client: SampleClient,
): Promise<[login: string, answer: Answer]> {
  const answer = await route(toQuestion(login, client));
  if (answer.rule.id === ruleId || others.length === 0) return [login, answer];
  return findOwn(route, ruleId, others, client);
}

function toQuestion(login: string, { clientIp, platform = UNKNOWN_PLATFORM }: SampleClient): Question {
  return { login, clientIp, platform, lookupProfile: () => Promise.resolve(undefined) };
}
