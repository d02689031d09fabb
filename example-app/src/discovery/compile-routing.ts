import type { Rule, Zone } from "../model/records.js";
import type { IdentifierPattern } from "../model/rule-shapes.js";
import { addToBucket, createBucket, mergeBuckets } from "./bucket.js";
import { createConditionCompiler, type CompiledConditions, type Profile, type Question } from "./conditions.js";
import { foldIdentifier } from "./identifier.js";
import { createIdentifierIndexBuilder } from "./identifier-index.js";
import {
  createCriteriaCompiler,
  findActiveProviders,
  type ActiveProviders,
  type NamedProvider,
  type RoutedIdp,
} from "./providers.js";
import { runAtOnce, type Steps } from "./steps.js";
import { compileZonesInSteps, type ZoneFinder } from "./zones.js";

/** The routing policy of an org: its ACTIVE rules in order, and the IdPs and zones that they refer to. */
export interface RoutingPolicy {
  /** Sorted by {@link byPriority}. Each one is taken only when the one before is compiled. */
  readonly rules: Iterable<Rule>;
  readonly idps: readonly RoutedIdp[];
  readonly zones: readonly Zone[];
}

/** Where a rule leads: a configured IdP, or the org itself. */
export type Provider = NamedProvider | "org";

/** The rule that matched and its providers in order of preference, at least one. */
export interface Answer {
  readonly rule: Readonly<Pick<Rule, "id" | "name">>;
  readonly providers: readonly Provider[];
}

/** The compiled routing of one org. It answers synchronously unless it reaches a rule with a profile attribute. */
export type Routing = (question: Question) => Answer | Promise<Answer>;

interface CompiledRule extends CompiledConditions {
  /** A function when it depends on the login; it returns `undefined` when no active provider has the name. */
  readonly answer: Answer | ((login: string) => Answer | undefined);
}

/** The answer for an org without a default rule, so that there is always one (rule W4). */
const ORG_ITSELF: Answer = { rule: { id: "default", name: "Default Rule" }, providers: ["org"] };

/**
 * Compile the routing rules of an org into a lookup structure. Rules are tried by priority; the first rule whose
 * conditions all hold decides. Inactive IdPs are left out. A rule without an active IdP is skipped, except the default
 * rule, which then leads to the org itself. The default rule decides for an empty login (rule W1).
 *
 * A rule with match criteria is skipped for a login for which they select no active IdP.
 *
 * A lookup takes time for the length of the login and for the rules that could match and have further conditions or
 * match criteria. It does not grow with the number of patterns and of IdPs.
 */
export function* compileRoutingInSteps({ rules, idps, zones }: RoutingPolicy): Steps<Routing> {
  const compileAnswer = createAnswerCompiler(findActiveProviders(idps));
  const findZones = yield* compileZonesInSteps(zones);
  const { compiled, find, everyone } = yield* compileRules(rules, compileAnswer, findZones);
  const last = compiled.length - 1;

  return function route(question) {
    if (question.login === "") return answerOf(last, "") ?? ORG_ITSELF;
    const found = [everyone];
    find(foldIdentifier(question.login), found);
    const { unconditional, conditional } = mergeBuckets(found);
    return firstMatch(question, conditional, unconditional);
  };

  /**
   * The first of `candidates` before `end` whose conditions hold, else `end`. A `profile` of null means that there is
   * no such user.
   */
  function firstMatch(
    question: Question,
    candidates: readonly number[],
    end: number,
    start = 0,
    profile?: Profile | null,
  ): Answer | Promise<Answer> {
    for (let i = start; i < candidates.length; i++) {
      const place = candidates[i] ?? end;
      if (place >= end) break;
      const { conditions = [], attribute } = compiled[place] ?? {};
      if (!conditions.every((condition) => condition.holds(question))) continue;
      const answer = answerOf(place, question.login);
      if (!answer) continue;
      if (attribute) {
        if (profile === undefined) {
          return question.lookupProfile().then((found) => firstMatch(question, candidates, end, i, found ?? null));
        }
        if (!attribute.holds(profile ?? undefined)) continue;
      }
      return answer;
    }
    return answerOf(end, question.login) ?? ORG_ITSELF;
  }

  function answerOf(place: number, login: string): Answer | undefined {
    const answer = compiled[place]?.answer;
    return typeof answer === "function" ? answer(login) : answer;
  }
}

/** The same without a pause, for rules in any order. */
export function compileRouting(policy: RoutingPolicy): Routing {
  return runAtOnce(compileRoutingInSteps({ ...policy, rules: [...policy.rules].sort(byPriority) }));
}

/** What a rule costs beside its patterns, see {@link Steps}. */
const RULE_COST = 4;

function* compileRules(rules: Iterable<Rule>, compileAnswer: AnswerCompiler, findZones: ZoneFinder) {
  const compileConditions = createConditionCompiler(findZones);
  const compiled: CompiledRule[] = []; // in order of priority, the default rule last
  const builder = createIdentifierIndexBuilder();
  const everyone = createBucket(); // the rules without identifier patterns
  let last: CompiledRule["answer"] = ORG_ITSELF;

  for (const rule of rules) {
    yield RULE_COST;
    if (rule.system) last = compileAnswer(rule) ?? createAnswer(rule, ORG_ITSELF.providers);
    const answer = rule.status === "ACTIVE" && !rule.system ? compileAnswer(rule) : undefined;
    if (!answer) continue;
    const place = compiled.length;
    const { conditions, attribute } = compileConditions(rule);
    compiled.push({ conditions, attribute, answer });

    const conditional = conditions.length > 0 || attribute !== undefined || typeof answer === "function";
    const { type, patterns = [] } = rule.conditions.userIdentifier ?? {};
    if (type === "ATTRIBUTE" || patterns.length === 0) {
      addToBucket(everyone, place, conditional);
      continue;
    }
    for (const pattern of patterns) {
      builder.add(pattern, place, conditional);
      yield costOf(pattern);
    }
  }

  addToBucket(everyone, compiled.length, false);
  compiled.push({ conditions: [], attribute: undefined, answer: last });
  return { compiled, find: yield* builder.build(), everyone };
}

/** Decoding internationalised domains takes far longer than all else. */
function costOf({ value }: IdentifierPattern): number {
  return 3 + (/xn--/i.test(value) ? value.length : value.length >> 5);
}

/** By priority. Rules with the same priority are sorted by id, so that every node gives the same answer. */
export function byPriority(a: Rule, b: Rule): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : 1);
}

function createAnswer({ id, name }: Rule, providers: readonly Provider[]): Answer {
  return { rule: { id, name }, providers };
}

/** Returns `undefined` for a rule that names no active provider. */
type AnswerCompiler = (rule: Rule) => CompiledRule["answer"] | undefined;

/**
 * A function that compiles where a rule leads: to its active providers, each once. Rules with the same providers share
 * an array, because 100,000 rules usually have few distinct lists of providers.
 */
function createAnswerCompiler(active: ActiveProviders): AnswerCompiler {
  const compileCriteria = createCriteriaCompiler(active);
  const selections = new Map<string, readonly Provider[]>();

  return function compileAnswer(rule) {
    const { idp } = rule.actions;
    if (idp.idpSelectionType === "DYNAMIC") {
      const select = compileCriteria(idp);
      return (login) => {
        const { provider } = select(login);
        return provider && createAnswer(rule, [provider]);
      };
    }
    const names = idp.providers.map(({ id }) => id ?? "org");
    const key = names.join(" ");
    let selection = selections.get(key);
    if (!selection) {
      const providers = names.map((name) => (name === "org" ? name : active.get(name)));
      selection = [...new Set(providers.filter((provider) => provider !== undefined))];
      selections.set(key, selection);
    }
    return selection.length > 0 ? createAnswer(rule, selection) : undefined;
  };
}
