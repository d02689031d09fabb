import { lowestBit, wordOf, type Bits } from "./bits.js";
import type { AttributeSets } from "./attribute-sets.js";
import type { Profile, Question } from "./conditions.js";
import type { NetworkSets } from "./network-sets.js";
import type { PlatformSets } from "./platform-sets.js";
import { createLoginTexts, type CompiledCriteria, type NamedProvider } from "./providers.js";
import type { Steps } from "../pace/steps.js";
import type { ZoneFinder } from "./zones.js";

/** The rules with conditions beside patterns on the identifier, by their numbers in the order of priority. */
export interface ConditionalRules {
  /** The place of each among all rules. */
  readonly places: readonly number[];
  /** The criteria of those that have some. */
  readonly criteria: ReadonlyMap<number, CompiledCriteria>;
  readonly networks: NetworkSets;
  readonly platforms: PlatformSets;
  readonly attributes: AttributeSets;
  readonly findZones: ZoneFinder;
}

/** A rule whose conditions hold. */
interface FoundRule {
  readonly place: number;
  /** The one that its criteria select. */
  readonly provider: NamedProvider | undefined;
}

/** A rule that needs the profile. */
interface UndecidedRule {
  readonly undecided: number;
}

/** A search for the first of some candidates whose conditions hold. It goes on where it needed the profile. */
export interface RuleSearch {
  /** The first rule whose conditions hold, if there is one; the first that needs the profile, before it is set. */
  findFirst(): Steps<FoundRule | UndecidedRule | undefined>;
  /** @param profile `undefined` when there is no such user */
  setProfile(profile: Profile | undefined): void;
}

/** What the criteria of a rule cost, see {@link Steps}. */
const CRITERIA_COST = 2;

/** Words that one step looks at. */
const STEP_WORDS = 512;

/**
 * Search rules by sets: the candidates, without those whose network or platform condition fails. Criteria and attributes
 * are asked for one rule after the other.
 *
 * @param end the place before which the search ends
 */
export function createRuleSearch(
  { places, criteria, networks, platforms, attributes, findZones }: ConditionalRules,
  question: Question,
  candidates: Bits,
  end: number,
): RuleSearch {
  const texts = createLoginTexts(question.login);
  let networkFailures: ((word: number) => number) | undefined;
  let platformFailures: ((word: number) => number) | undefined;
  let holdsAttribute: ReturnType<AttributeSets["ask"]> | undefined;
  let word = 0;
  let left = filter(0); // the candidates in the word

  return {
    setProfile(profile) {
      holdsAttribute = attributes.ask(profile);
    },
    *findFirst() {
      for (; word < candidates.length; left = filter(++word)) {
        if ((word + 1) % STEP_WORDS === 0) yield STEP_WORDS / 32;
        for (; left !== 0; left &= left - 1) {
          const rule = word * 32 + lowestBit(left);
          const place = places[rule] ?? end;
          if (place >= end) return undefined;
          const select = criteria.get(rule);
          const provider = select?.(texts).provider;
          if (select) yield CRITERIA_COST;
          if (select && !provider) continue;
          if (attributes.has(rule)) {
            if (!holdsAttribute) return { undecided: place };
            if (!(yield* holdsAttribute(rule))) continue;
          }
          return { place, provider };
        }
      }
      return undefined;
    },
  };

  /** The candidates in a word whose network and platform conditions hold. The client is only asked when one has some. */
  function filter(at: number): number {
    if ((places[at * 32] ?? end) >= end) return 0;
    let rules = wordOf(candidates, at);
    if ((rules & wordOf(platforms.conditional, at)) !== 0) {
      platformFailures ??= platforms.failuresOf(question.platform);
      rules &= ~platformFailures(at);
    }
    if ((rules & wordOf(networks.conditional, at)) !== 0) {
      networkFailures ??= networks.failuresIn(findZones(question.clientIp));
      rules &= ~networkFailures(at);
    }
    return rules;
  }
}
