import type { IdentifierPattern } from "../../model/rule-shapes.js";
import type { JoinedSteps, Steps } from "../../pace/steps.js";
import { createLoginTexts } from "../providers.js";
import type { SampleClient } from "./conditions.js";
import { costOfCovering, type Bucket, type PatternBuckets, type Place } from "./pattern-buckets.js";
import type { AnalysedPolicy, AnalysedRule, Selection } from "./policy.js";
import { matchesAll, proposeLogins } from "./samples.js";

/** A login, and the client if it matters, that several rules match. */
export interface Sample extends SampleClient {
  readonly login: string;
}

export interface Overlap {
  /** The first of the earlier rules found. */
  readonly by: AnalysedRule;
  readonly sample: Sample;
  /** How many were found, at most {@link MAX_CANDIDATES}. */
  readonly count: number;
}

/** Earlier rules that a rule is compared with. */
export const MAX_CANDIDATES = 50;

/** Rules with different conditions or providers that a list keeps. */
const MAX_DIFFERENT = 8;

/** What a comparison of two rules costs, and the search for a login, see {@link Steps}. */
const CANDIDATE_COST = 0.5;
const SAMPLE_COST = 5;

type MatchType = IdentifierPattern["matchType"];

/** The types of patterns that share logins with a pattern of this type, whatever their texts are. */
const SHARING: Readonly<Record<MatchType, readonly MatchType[]>> = {
  EQUALS: [],
  SUFFIX: ["STARTS_WITH", "CONTAINS"],
  STARTS_WITH: ["SUFFIX", "CONTAINS"],
  CONTAINS: ["SUFFIX", "STARTS_WITH", "CONTAINS"],
};

/** A pattern of a rule, and that of an earlier one. */
type Pair = readonly [own: IdentifierPattern | undefined, other: Place];

/**
 * A function that finds out whether an earlier rule leads some logins of a rule elsewhere. Call it with each rule that can be
 * reached, in order. The sample matches both rules. It looks at a limited number of earlier rules, and at no conditions on
 * attributes.
 */
export function createOverlapFinder(policy: AnalysedPolicy) {
  const within = new Map<Bucket, Place[]>(); // earlier patterns that the pattern of the bucket covers
  const byType = new Map<MatchType, Place[]>();

  return function* findOverlap(
    rule: AnalysedRule,
    buckets: PatternBuckets,
    joined: JoinedSteps,
  ): Steps<Overlap | undefined> {
    if (rule.attribute !== undefined) return undefined;
    const candidates = yield* findCandidates(rule, buckets, joined);
    for (const pattern of rule.patterns) keepDifferent(byType, pattern.matchType, { rule, pattern });
    if (candidates.length === 0) return undefined;
    candidates.sort(([, a], [, b]) => a.rule.priority - b.rule.priority);
    if (joined.add(candidates.length * CANDIDATE_COST)) yield joined.take();
    let first: Omit<Overlap, "count"> | undefined;
    let count = 0;
    for (const [own, { rule: by, pattern }] of candidates) {
      const client = policy.findClient(rule.conditions, by.conditions);
      if (!client) continue;
      const isDynamic = rule.providers.criteria !== undefined || by.providers.criteria !== undefined;
      if (!first || isDynamic) {
        if (joined.add(SAMPLE_COST)) yield joined.take();
        const login = findLogin(policy, [own, rule.providers], [pattern, by.providers]);
        if (login === undefined) continue;
        first ??= { by, sample: { login, ...client } };
      }
      count++;
    }
    return first && { ...first, count };
  };

  /** Earlier rules with other providers that may share logins with this one, each once. */
  function* findCandidates(rule: AnalysedRule, buckets: PatternBuckets, joined: JoinedSteps): Steps<Pair[]> {
    const { patterns } = rule;
    let candidates: Map<AnalysedRule, Pair> | undefined;
    collect(patterns[0], buckets.everyone);
    if (patterns.length === 0) for (const places of byType.values()) collect(undefined, places);
    for (const pattern of patterns) {
      const own = buckets.bucketFor(undefined, pattern);
      if (!own) continue;
      collect(pattern, within.get(own));
      const covering = buckets.findCovering(undefined, pattern);
      if (joined.add(costOfCovering(pattern, covering))) yield joined.take();
      for (const bucket of covering) {
        collect(pattern, bucket);
        if (bucket !== own) keepDifferent(within, bucket, { rule, pattern });
      }
      for (const type of SHARING[pattern.matchType]) collect(pattern, byType.get(type));
    }
    return candidates ? [...candidates.values()] : [];

    function collect(own: IdentifierPattern | undefined, places: readonly Place[] = []): void {
      for (const place of places) {
        const { rule: by } = place;
        if (candidates?.size === MAX_CANDIDATES) return;
        if (by === rule || by.providers.key === rule.providers.key || candidates?.has(by) === true) continue;
        (candidates ??= new Map()).set(by, [own, place]);
      }
    }
  }
}

function keepDifferent<K>(lists: Map<K, Place[]>, key: K, place: Place): void {
  const list = lists.get(key);
  if (!list) lists.set(key, [place]);
  else if (list.length < MAX_DIFFERENT && !list.some(({ rule }) => isAlike(rule, place.rule))) list.push(place);
}

function isAlike(one: AnalysedRule, other: AnalysedRule): boolean {
  return one.conditions.key === other.conditions.key && one.providers.key === other.providers.key;
}

type Side = readonly [IdentifierPattern | undefined, Selection];

/** A login that matches both patterns and that the selections lead to different providers. */
function findLogin(policy: AnalysedPolicy, [one, first]: Side, [other, second]: Side): string | undefined {
  const isDynamic = first.criteria !== undefined || second.criteria !== undefined;
  for (const login of propose()) {
    if (!matchesAll(login, [one, other])) continue;
    if (!isDynamic) return login;
    const [here, there] = [first, second].map((selection) => selectFor(selection, login));
    if (here !== undefined && there !== undefined && here !== there) return login;
  }
  return undefined;

  function* propose(): Iterable<string> {
    yield* proposeLogins(one, other);
    if (!isDynamic) return;
    let count = 0;
    for (const { name } of policy.providers.values()) {
      if (count++ === MAX_DIFFERENT) return;
      yield name;
      yield `joe@${name}`;
      yield `${name}@example.com`;
    }
  }
}

/** What {@link Selection.key} would be if a rule named the provider. */
function selectFor({ key, criteria }: Selection, login: string): string | undefined {
  return criteria ? criteria(createLoginTexts(login)).provider?.id : key;
}
