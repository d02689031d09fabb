import type { TracedRule } from "../../api/types.js";
import { tryAnswer as texts } from "../../texts/en/try-answer.js";

/** So many are named. */
const MAX_NAMED = 3;

export interface NearMiss {
  readonly rule: TracedRule;
  /** The conditions that don't hold. */
  readonly failing: TracedRule["conditions"];
}

/** The rules that lack the fewest conditions, of those that have one that holds. */
export function findNearMisses(rules: readonly TracedRule[]): NearMiss[] {
  const partial = rules.flatMap((rule): NearMiss[] => {
    const failing = rule.conditions.filter(({ holds }) => !holds);
    return failing.length > 0 && failing.length < rule.conditions.length ? [{ rule, failing }] : [];
  });
  const least = Math.min(...partial.map(({ failing }) => failing.length));
  return partial.filter(({ failing }) => failing.length === least).slice(0, MAX_NAMED);
}

const LACKS = [undefined, "lackOne", "lackTwo", "lackThree"] as const;

/**
 * `One condition short: Partners`
 *
 * @param name the name of its rule
 */
export function describeLack<N>({ failing }: NearMiss, name: N): (string | N)[] {
  const lack = LACKS[failing.length];
  return lack === undefined ? texts.lackMore({ count: failing.length, rule: name }) : texts[lack]({ rule: name });
}
