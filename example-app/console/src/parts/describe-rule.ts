import type { Conditions, Idp, IdpAction, MatchType, Pattern, PlatformEntry, Zone } from "../api/types.js";
import { visible } from "./visible.js";

/** Rules in words. */

const MATCH_WORDS: Readonly<Record<MatchType, string>> = {
  SUFFIX: "ends with",
  EQUALS: "is",
  STARTS_WITH: "starts with",
  CONTAINS: "contains",
};

/** What a form calls a comparison. The end of a login is a domain. */
export function matchWords(isLogin: boolean): Readonly<Record<MatchType, string>> {
  return isLogin ? { ...MATCH_WORDS, SUFFIX: "is at or below" } : MATCH_WORDS;
}

/** `is at example.com or below`. A domain ends where a label does: joe@badexample.com is not below example.com. */
export function describePattern({ matchType, value }: Pattern, isLogin = true): string {
  const domain = /^([@.]?)([^@]+)$/.exec(value);
  if (!isLogin || matchType !== "SUFFIX" || !domain) return `${MATCH_WORDS[matchType]} ${value}`;
  const [, start, name = ""] = domain;
  if (start === "@") return `is at ${name}`;
  return start === "." ? `is below ${name}` : `is at ${name} or below`;
}

/** What a pattern takes in that is more than one domain, while one types it. */
export function warnOfSuffix({ matchType, value }: Pattern): string | undefined {
  const name = value.trim().replace(/^[@.]/, "");
  if (matchType !== "SUFFIX" || name === "" || /[.@]/.test(name)) return undefined;
  return `Takes in every login whose domain ends with ${name}: joe@${name}, joe@contoso.${name}.`;
}

export const PLATFORM_WORDS: Readonly<Record<PlatformEntry["type"], string>> = {
  ANY: "any device",
  DESKTOP: "a computer",
  MOBILE: "a phone or tablet",
  OTHER: "another device",
};

export const OS_WORDS: Readonly<Record<NonNullable<PlatformEntry["os"]>["type"], string>> = {
  ANY: "any system",
  ANDROID: "Android",
  IOS: "iOS",
  OSX: "macOS",
  WINDOWS: "Windows",
  LINUX: "Linux",
  CHROMEOS: "ChromeOS",
  OTHER: "another system",
};

/** What names an id in words. */
export interface Names {
  readonly idps: readonly Idp[];
  readonly zones: readonly Zone[];
}

/** How many patterns a sentence shows, unless the caller wants more; the others are counted. */
const SHOWN = 3;

export function describeIdentifier({ userIdentifier }: Conditions, shown = SHOWN): string | undefined {
  if (!userIdentifier || userIdentifier.patterns.length === 0) return undefined;
  const { type, attribute = "", patterns } = userIdentifier;
  const subject = type === "ATTRIBUTE" ? `the attribute ${attribute}` : "the login";
  const words = patterns.slice(0, shown).map((pattern) => describePattern(pattern, type !== "ATTRIBUTE"));
  return `${subject} ${joinWords(words, patterns.length - words.length)}`;
}

export function describeNetwork(
  { network }: Conditions,
  { zones }: Pick<Names, "zones">,
  shown = SHOWN,
): string | undefined {
  if (!network || network.connection === "ANYWHERE") return undefined;
  const nameOf = (id: string) =>
    id === "ALL_ZONES" ? "any zone" : visible(zones.find((zone) => zone.id === id)?.name ?? id);
  return describeBoth(["the address is in", "not in"], network, nameOf, shown);
}

export function describePlatform({ platform }: Conditions, shown = SHOWN): string | undefined {
  if (!platform) return undefined;
  return describeBoth(["the device is", "not"], platform, describePlatformEntry, shown);
}

export function describePlatformEntry({ type, os }: PlatformEntry): string {
  return os && os.type !== "ANY" ? `${PLATFORM_WORDS[type]} with ${OS_WORDS[os.type]}` : PLATFORM_WORDS[type];
}

/** Each provider of a rule, in order of preference. */
export function describeProviders(action: IdpAction, { idps }: Pick<Names, "idps">): string[] {
  if (action.idpSelectionType === "DYNAMIC") {
    return action.matchCriteria.map(({ providerExpression }) => `the provider named ${providerExpression}`);
  }
  return action.providers.map(({ id, type }) =>
    id === undefined ? "the org itself" : visible(idps.find((idp) => idp.id === id)?.name ?? `${type} ${id}`),
  );
}

/** Every condition of a rule; none means that it holds for everyone. */
export function describeConditions(conditions: Conditions, names: Names): string[] {
  return [describeIdentifier(conditions), describeNetwork(conditions, names), describePlatform(conditions)].filter(
    (text) => text !== undefined,
  );
}

function describeBoth<T>(
  [beginning, negation]: readonly [string, string],
  { include = [], exclude = [] }: Readonly<{ include?: readonly T[]; exclude?: readonly T[] }>,
  nameOf: (entry: T) => string,
  shown: number,
): string {
  const join = (entries: readonly T[]) => joinWords(entries.slice(0, shown).map(nameOf), entries.length - shown);
  if (include.length === 0) return `${beginning.replace(/ is.*/, " is")} ${negation} ${join(exclude)}`;
  return `${beginning} ${join(include)}${exclude.length > 0 ? `, but ${negation} ${join(exclude)}` : ""}`;
}

/** @param others how many more there are */
function joinWords(words: readonly string[], others: number): string {
  const all = others > 0 ? [...words, `${others} more`] : words;
  const last = all.at(-1) ?? "";
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${last}` : last;
}
