import type { Conditions, Idp, IdpAction, MatchType, Pattern, PlatformEntry, Zone } from "../api/types.js";
import { describeRule as texts } from "../texts/en/describe-rule.js";
import { parts } from "../texts/en/parts.js";
import { visible } from "./visible.js";

/** Rules in words. */

const COMPARISONS = { SUFFIX: "endsWith", EQUALS: "equals", STARTS_WITH: "startsWith", CONTAINS: "contains" } as const;

/** What a form calls a comparison. The end of a login is a domain. */
export function matchWords(isLogin: boolean): Readonly<Record<MatchType, string>> {
  const { SUFFIX, EQUALS, STARTS_WITH, CONTAINS } = texts;
  return { SUFFIX: isLogin ? texts.domain : SUFFIX, EQUALS, STARTS_WITH, CONTAINS };
}

/** `is at example.com or below`. A domain ends where a label does: joe@badexample.com is not below example.com. */
export function describePattern({ matchType, value }: Pattern, isLogin = true): string {
  const domain = /^([@.]?)([^@]+)$/.exec(value);
  if (!isLogin || matchType !== "SUFFIX" || !domain) return texts[COMPARISONS[matchType]]({ value });
  const [, start, name = ""] = domain;
  if (start === "@") return texts.at({ domain: name });
  return start === "." ? texts.below({ domain: name }) : texts.atOrBelow({ domain: name });
}

/** What a pattern takes in that is more than one domain, while one types it. */
export function warnOfSuffix({ matchType, value }: Pattern): string | undefined {
  const name = value.trim().replace(/^[@.]/, "");
  if (matchType !== "SUFFIX" || name === "" || /[.@]/.test(name)) return undefined;
  return texts.wideSuffix({ domain: name });
}

/** The names of the texts. */
export const PLATFORM_WORDS = {
  ANY: "anyDevice",
  DESKTOP: "computer",
  MOBILE: "phone",
  OTHER: "otherDevice",
} as const satisfies Record<PlatformEntry["type"], keyof typeof texts>;

/** The names of the products. */
export const OS_WORDS: Readonly<Record<NonNullable<PlatformEntry["os"]>["type"], string | undefined>> = {
  ANY: undefined,
  ANDROID: "Android",
  IOS: "iOS",
  OSX: "macOS",
  WINDOWS: "Windows",
  LINUX: "Linux",
  CHROMEOS: "ChromeOS",
  OTHER: undefined,
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
  const words = patterns.slice(0, shown).map((pattern) => describePattern(pattern, type !== "ATTRIBUTE"));
  const joined = joinWords(words, patterns.length - words.length);
  return type === "ATTRIBUTE" ? texts.attribute({ attribute, patterns: joined }) : texts.login({ patterns: joined });
}

export function describeNetwork(
  { network }: Conditions,
  { zones }: Pick<Names, "zones">,
  shown = SHOWN,
): string | undefined {
  if (!network || network.connection === "ANYWHERE") return undefined;
  const nameOf = (id: string) =>
    id === "ALL_ZONES" ? texts.anyZone : visible(zones.find((zone) => zone.id === id)?.name ?? id);
  const [included, others] = joinBoth(network, nameOf, shown);
  if (included === "") return texts.notInZones({ zones: others });
  return others === "" ? texts.inZones({ zones: included }) : texts.inZonesBut({ zones: included, others });
}

export function describePlatform({ platform }: Conditions, shown = SHOWN): string | undefined {
  if (!platform) return undefined;
  const [devices, others] = joinBoth(platform, describePlatformEntry, shown);
  if (devices === "") return texts.notOnDevices({ devices: others });
  return others === "" ? texts.onDevices({ devices }) : texts.onDevicesBut({ devices, others });
}

export function describePlatformEntry({ type, os }: PlatformEntry): string {
  const device = texts[PLATFORM_WORDS[type]];
  if (!os || os.type === "ANY") return device;
  const system = OS_WORDS[os.type];
  return system === undefined ? texts.withOtherSystem({ device }) : texts.withSystem({ device, system });
}

/** Each provider of a rule, in order of preference. */
export function describeProviders(action: IdpAction, { idps }: Pick<Names, "idps">): string[] {
  if (action.idpSelectionType === "DYNAMIC") {
    return action.matchCriteria.map(({ providerExpression }) => texts.providerNamed({ name: providerExpression }));
  }
  return action.providers.map(({ id, type }) =>
    id === undefined ? texts.orgItself : visible(idps.find((idp) => idp.id === id)?.name ?? `${type} ${id}`),
  );
}

/** Every condition of a rule; none means that it holds for everyone. */
export function describeConditions(conditions: Conditions, names: Names): string[] {
  return [describeIdentifier(conditions), describeNetwork(conditions, names), describePlatform(conditions)].filter(
    (text) => text !== undefined,
  );
}

/** What is included and what is excluded; empty for nothing. */
function joinBoth<T>(
  { include = [], exclude = [] }: Readonly<{ include?: readonly T[]; exclude?: readonly T[] }>,
  nameOf: (entry: T) => string,
  shown: number,
): [string, string] {
  const join = (entries: readonly T[]) => joinWords(entries.slice(0, shown).map(nameOf), entries.length - shown);
  return [join(include), join(exclude)];
}

/** @param others how many more there are */
function joinWords(words: readonly string[], others: number): string {
  const all = others > 0 ? [...words, texts.more({ n: others })] : words;
  const last = all.at(-1) ?? "";
  return all.length > 1 ? texts.or({ list: all.slice(0, -1).join(parts.comma), last }) : last;
}
