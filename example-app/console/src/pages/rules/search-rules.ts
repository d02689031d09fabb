import { foldText } from "../../../../src/model/words.js";
import type { Rule } from "../../api/types.js";
import { describePattern, describePlatformEntry, describeProviders, type Names } from "../../parts/describe-rule.js";
import { visible } from "../../parts/visible.js";
import { rules as texts } from "../../texts/en/rules.js";

/** How many parts that a search found are told; the others are counted. */
const MAX_TOLD = 3;

/** A function that tells whether a rule has every word somewhere: its name, a condition, a provider. */
export function createSearch(names: Names): (rule: Rule, words: readonly string[]) => boolean {
  const texts = new WeakMap<Rule, string>();
  return (rule, words) => {
    const text = texts.get(rule) ?? foldText(partsOf(rule, names).join("\n"));
    texts.set(rule, text);
    return words.every((word) => text.includes(word));
  };
}

/** So many rules are gone through at once: it takes a few milliseconds. */
const SLICE = 200;

/** Goes through rules before somebody looks for one, so that the first key is not the one that waits. @returns a function that ends it */
export function prepareSearch(rules: readonly Rule[], search: ReturnType<typeof createSearch>): () => void {
  let next = 0;
  const run = () => {
    for (const rule of rules.slice(next, next + SLICE)) search(rule, []);
    next += SLICE;
    if (next < rules.length) timer = setTimeout(run);
  };
  let timer = setTimeout(run);
  return () => {
    clearTimeout(timer);
  };
}

/**
 * What has a word that the row does not show: a row has only the first patterns.
 *
 * @param shown what the row shows
 */
export function findHidden(rule: Rule, names: Names, words: readonly string[], shown: string): string[] {
  const text = foldText(shown);
  const hidden = words.filter((word) => !text.includes(word));
  if (hidden.length === 0) return [];
  const found = partsOf(rule, names).filter((part) => hidden.some((word) => foldText(part).includes(word)));
  const more = found.length - MAX_TOLD;
  return more > 0 ? [...found.slice(0, MAX_TOLD), texts.foundMore({ n: more })] : found;
}

/** Each thing that a rule has, in words. */
function partsOf({ name, conditions, actions }: Rule, names: Names): string[] {
  const { userIdentifier, network, platform } = conditions;
  const isLogin = userIdentifier?.type !== "ATTRIBUTE";
  const patterns = (userIdentifier?.patterns ?? []).map((pattern) => {
    const words = describePattern(pattern, isLogin);
    return words.includes(pattern.value) ? words : texts.foundWith({ words, value: pattern.value });
  });
  const zones = [...(network?.include ?? []), ...(network?.exclude ?? [])].map((id) =>
    id === "ALL_ZONES" ? texts.anyZone : (names.zones.find((zone) => zone.id === id)?.name ?? id),
  );
  const devices = [...(platform?.include ?? []), ...(platform?.exclude ?? [])].map(describePlatformEntry);
  const attribute =
    userIdentifier?.type === "ATTRIBUTE" ? [texts.attribute({ name: userIdentifier.attribute ?? "" })] : [];
  return [name, ...attribute, ...patterns, ...zones, ...devices, ...describeProviders(actions.idp, names)].map(visible);
}
