import type { Rule } from "../model/records.js";
import { createAttributeSetsBuilder } from "./attribute-sets.js";
import { createBits, type Bits } from "./bits.js";
import {
  addConditional,
  addToBucket,
  createBucket,
  createBucketsBuilder,
  firstUnconditional,
  type Bucket,
} from "./bucket.js";
import { hasEntries, UnreadableProfile, type Question } from "./conditions.js";
import { createRuleSearch, type ConditionalRules, type RuleSearch } from "./find-rule.js";
import { costOfFolding, foldIdentifier } from "./identifier.js";
import { createNetworkSetsBuilder } from "./network-sets.js";
import { createPlatformSetsBuilder } from "./platform-sets.js";
import {
  createCriteriaCompiler,
  type ActiveProviders,
  type CompiledCriteria,
  type NamedProvider,
  type Provider,
} from "./providers.js";
import { compileRecordsInSteps, type CompiledRecords, type RoutedRecords } from "./records.js";
import { runAtOnce, runFirst, type Steps, type StepsRunner } from "../pace/steps.js";

/** The routing policy of an org: its ACTIVE rules in order, and what they refer to. */
export interface RoutingPolicy {
  /** Sorted by {@link byPriority}. Each one is taken only when the one before is compiled. */
  readonly rules: Iterable<Rule>;
  readonly records: CompiledRecords;
}

/**
 * Why an answer has its providers: the conditions of a rule hold, the default rule decided, there is none, or the rule that
 * decided names a provider that is not active.
 */
export const REASONS = ["matched", "default", "no rule", "provider inactive"] as const;

/** The rule that matched and its providers in order of preference, at least one. */
export interface Answer {
  readonly rule: Readonly<Pick<Rule, "id" | "name">>;
  readonly providers: readonly Provider[];
  readonly reason: (typeof REASONS)[number];
  /** The first rule that was passed over because the profile could not be read. */
  readonly passedOver?: Answer["rule"];
}

/** The answer to a request that names its provider: no rule is asked. */
export function nameProvider({ id, type, name }: NamedProvider): Answer {
  return { ...ORG_ITSELF, providers: [{ id, type, name }] };
}

/** The compiled routing of one org. It answers synchronously unless it needs the profile or takes long. */
export type Routing = (question: Question) => Answer | Promise<Answer>;

/** The answer for an org without a default rule, so that there is always one (rule W4). */
const ORG_ITSELF: Answer = { rule: { id: "default", name: "Default Rule" }, providers: ["org"], reason: "no rule" };

/**
 * Compile the routing rules of an org into a lookup structure. Rules are tried by priority; the first rule whose
 * conditions all hold decides. Inactive IdPs are left out. A rule without an active IdP is skipped, except the default
 * rule, which then leads to the org itself. The default rule decides for an empty login (rule W1).
 *
 * A rule with match criteria is skipped for a login for which they select no active IdP.
 *
 * A lookup takes time for the length of the login and of the attributes that rules name, and for the different
 * expressions of match criteria that it comes to. It does not grow with the number of rules, patterns, zones and IdPs,
 * but for some nanoseconds for each 32 rules with further conditions.
 *
 * @param run takes the steps of a lookup that is not done after a millisecond
 */
export function* compileRoutingInSteps({ rules, records }: RoutingPolicy, run: StepsRunner): Steps<Routing> {
  const { answers, index, everyone, conditional } = yield* compileRules(rules, records);
  const { attributes, places } = conditional;
  const last = answers.length - 1;
  const everyoneBits = createBits(places.length);
  addConditional(everyoneBits, [everyone]);

  return function route(question) {
    if (question.login === "") return answerAt(last);
    const found: Bucket[] = [];
    index.find(foldIdentifier(question.login), found);
    const end = Math.min(everyone.unconditional, firstUnconditional(found));
    if (places.length === 0) return answerAt(end);
    const candidates = everyoneBits.slice();
    addConditional(candidates, found);
    return search(question, candidates, end);
  };

  function search(question: Question, candidates: Bits, end: number): Answer | Promise<Answer> {
    const rules = createRuleSearch(conditional, question, candidates, end);
    const found = runFirst(rules.findFirst(), run);
    return found instanceof Promise ? found.then(proceed) : proceed(found);

    function proceed(result: SearchResult): Answer | Promise<Answer> {
      if (result === undefined) return answerAt(end);
      if (!("undecided" in result)) return answerAt(result.place, result.provider);
      return askProfile(result.undecided);
    }

    async function askProfile(undecided: number): Promise<Answer> {
      try {
        rules.setProfile(await question.lookupProfile(attributes.names));
      } catch (error) {
        if (!(error instanceof UnreadableProfile)) throw error;
        rules.setProfile(undefined);
        return { ...(await goOn()), passedOver: answerAt(undecided).rule };
      }
      return goOn();
    }

    async function goOn(): Promise<Answer> {
      return proceed(await runFirst(rules.findFirst(), run));
    }
  }

  function answerAt(place: number, selected?: NamedProvider): Answer {
    const answer = answers[place] ?? ORG_ITSELF;
    return selected ? { ...answer, providers: [selected] } : answer;
  }
}

type SearchResult = ReturnType<RuleSearch["findFirst"]> extends Steps<infer T> ? T : never;

/** The same without a pause, for rules in any order. */
export function compileRouting({ rules, ...records }: RoutedRecords & Pick<RoutingPolicy, "rules">): Routing {
  const compiled = runAtOnce(compileRecordsInSteps(records));
  const policy = { rules: [...rules].sort(byPriority), records: compiled };
  return runAtOnce(compileRoutingInSteps(policy, (steps) => Promise.resolve(runAtOnce(steps))));
}

function* compileRules(rules: Iterable<Rule>, records: CompiledRecords) {
  const compileAnswer = createAnswerCompiler(records.providers);
  const conditions = createConditionsBuilder(records);
  const answers: Answer[] = []; // in order of priority, the default rule last
  const builder = createBucketsBuilder();
  const everyone = createBucket(); // the rules without identifier patterns
  let last = ORG_ITSELF;

  for (const rule of rules) {
    yield costOf(rule);
    if (rule.system)
      last = compileAnswer(rule) ?? createAnswer(rule, { providers: ORG_ITSELF.providers, isWhole: false });
    const answer = rule.status === "ACTIVE" && !rule.system ? compileAnswer(rule) : undefined;
    if (!answer) continue;
    const added = { place: answers.length, number: conditions.add(rule, answers.length) };
    answers.push(answer);

    const { type, patterns = [] } = rule.conditions.userIdentifier ?? {};
    if (type === "ATTRIBUTE" || patterns.length === 0) {
      addToBucket(everyone, added);
      continue;
    }
    for (const pattern of patterns) {
      builder.add(pattern, added);
      yield PATTERN_COST + costOfFolding(pattern.value);
    }
  }

  addToBucket(everyone, { place: answers.length, number: undefined });
  answers.push(last);
  return { answers, everyone, index: yield* builder.build(), conditional: yield* conditions.build() };
}

/** Collects the rules with conditions beside patterns on the identifier. */
function createConditionsBuilder({ providers, findZones }: CompiledRecords) {
  const compileCriteria = createCriteriaCompiler(providers);
  const places: number[] = [];
  const criteria = new Map<number, CompiledCriteria>();
  const [networks, platforms] = [createNetworkSetsBuilder(), createPlatformSetsBuilder()];
  const attributes = createAttributeSetsBuilder();

  return {
    /** @returns the number of the rule among these; `undefined` for one without */
    add(
      { conditions: { network, platform, userIdentifier }, actions: { idp } }: Rule,
      place: number,
    ): number | undefined {
      const hasNetwork = network?.connection === "ZONE";
      const hasPlatform = platform !== undefined && hasEntries(platform);
      const hasAttribute = userIdentifier?.type === "ATTRIBUTE" && userIdentifier.patterns.length > 0;
      const isDynamic = idp.idpSelectionType === "DYNAMIC";
      if (!hasNetwork && !hasPlatform && !hasAttribute && !isDynamic) return undefined;
      const number = places.push(place) - 1;
      if (hasNetwork) networks.add(number, network);
      if (hasPlatform) platforms.add(number, platform);
      if (hasAttribute) attributes.add(number, userIdentifier);
      if (isDynamic) criteria.set(number, compileCriteria(idp));
      return number;
    },
    *build(): Steps<ConditionalRules> {
      const sets = { networks: networks.build(), platforms: platforms.build(), attributes: yield* attributes.build() };
      return { places, criteria, findZones, ...sets };
    },
  };
}

/** What a pattern costs beside its folding, see {@link Steps}. */
const PATTERN_COST = 3;

/** What rules cost beside their patterns. Their texts were parsed when they were taken. */
function costOf({ conditions: { network, platform, userIdentifier }, actions: { idp } }: Rule): number {
  const zones = (network?.include?.length ?? 0) + (network?.exclude?.length ?? 0);
  const platforms = (platform?.include?.length ?? 0) + (platform?.exclude?.length ?? 0);
  const [pattern] = userIdentifier?.type === "ATTRIBUTE" ? userIdentifier.patterns : [];
  const patternCost = pattern ? PATTERN_COST + costOfFolding(pattern.value) : 0;
  const criteriaCost = idp.idpSelectionType === "DYNAMIC" ? 8 : 0;
  return 4 + zones / 4 + platforms / 2 + patternCost + criteriaCost;
}

/** By priority. Rules with the same priority are sorted by id, so that every node gives the same answer. */
function byPriority(a: Rule, b: Rule): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : 1);
}

/** The active providers of a rule. */
interface ActiveSelection {
  readonly providers: readonly Provider[];
  /** Whether all are active. */
  readonly isWhole: boolean;
}

function createAnswer({ id, name, system }: Rule, { providers, isWhole }: ActiveSelection): Answer {
  const reason = system ? "default" : "matched";
  return { rule: { id, name }, providers, reason: isWhole ? reason : "provider inactive" };
}

/** Returns `undefined` for a rule that names no active provider. */
type AnswerCompiler = (rule: Rule) => Answer | undefined;

/**
 * A function that compiles where a rule leads: to its active providers, each once. Rules with the same providers share
 * an array, because 100,000 rules usually have few distinct lists of providers. A rule with criteria gets its provider
 * later.
 */
function createAnswerCompiler(active: ActiveProviders): AnswerCompiler {
  const selections = new Map<string, ActiveSelection>();

  return function compileAnswer(rule) {
    const { idp } = rule.actions;
    if (idp.idpSelectionType === "DYNAMIC") return createAnswer(rule, { providers: [], isWhole: true });
    const names = idp.providers.map(({ id }) => id ?? "org");
    const key = names.join(" ");
    let selection = selections.get(key);
    if (!selection) {
      const found = names.map((name) => (name === "org" ? name : active.get(name)));
      const providers = [...new Set(found.filter((provider) => provider !== undefined))];
      selections.set(key, (selection = { providers, isWhole: !found.includes(undefined) }));
    }
    return selection.providers.length > 0 ? createAnswer(rule, selection) : undefined;
  };
}
