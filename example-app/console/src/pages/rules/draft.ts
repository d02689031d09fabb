import type { Conditions, IdpAction, Pattern, PlatformEntry, Rule } from "../../api/types.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import type { RuleBody } from "./requests.js";

/** A rule as its form holds it: every list is there, empty or not. */
export interface Draft {
  name: string;
  priority: number | undefined;
  isActive: boolean;
  attribute: string | undefined;
  patterns: readonly Pattern[];
  zones: Lists;
  platforms: Lists;
  /** Ids, and {@link ORG_ITSELF}. */
  providers: readonly string[];
  /** For a rule that selects a provider by its name. */
  expression: string | undefined;
}

export interface Lists {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export const ORG_ITSELF = "";

const NO_LISTS: Lists = { include: [], exclude: [] };

/** Nothing is given yet. */
export const NO_RULE: Draft = {
  name: "",
  priority: undefined,
  isActive: true,
  attribute: undefined,
  patterns: [],
  zones: NO_LISTS,
  platforms: NO_LISTS,
  providers: [],
  expression: undefined,
};

/** A new rule begins with an empty pattern. */
export const NEW_RULE: Draft = { ...NO_RULE, patterns: [{ matchType: "SUFFIX", value: "" }] };

/** The longest name of a rule. */
const MAX_NAME = 128;

/** A new rule that leads to a provider. */
export function draftFor(providerId: string): Draft {
  return { ...NEW_RULE, providers: [providerId] };
}

/** A new rule like another one, right after it. */
export function draftLike(rule: Rule): Draft {
  return { ...toDraft(rule), name: texts.copyOf({ name: rule.name }).slice(0, MAX_NAME), priority: rule.priority + 1 };
}

export function toDraft({ name, priority, status, conditions, actions: { idp } }: Rule): Draft {
  const { network, platform, userIdentifier } = conditions;
  return {
    name,
    priority,
    isActive: status === "ACTIVE",
    attribute: userIdentifier?.type === "ATTRIBUTE" ? userIdentifier.attribute : undefined,
    patterns: userIdentifier?.patterns ?? [],
    zones: { include: network?.include ?? [], exclude: network?.exclude ?? [] },
    platforms: {
      include: (platform?.include ?? []).map(formatPlatform),
      exclude: (platform?.exclude ?? []).map(formatPlatform),
    },
    providers: idp.idpSelectionType === "DYNAMIC" ? [] : idp.providers.map(({ id = ORG_ITSELF }) => id),
    expression: idp.idpSelectionType === "DYNAMIC" ? idp.matchCriteria[0]?.providerExpression : undefined,
  };
}

/**
 * @param typeOf the type of a provider
 * @param orgType that of the org itself: the namespace in capitals
 */
export function fromDraft(draft: Draft, typeOf: (id: string) => string, orgType: string): RuleBody {
  const { name, priority, isActive, expression, providers } = draft;
  const idp: IdpAction =
    expression === undefined
      ? {
          idpSelectionType: "SPECIFIC",
          providers: providers.map((id) => (id === ORG_ITSELF ? { type: orgType } : { type: typeOf(id), id })),
        }
      : { idpSelectionType: "DYNAMIC", matchCriteria: [{ propertyName: "name", providerExpression: expression }] };
  return {
    name,
    status: isActive ? "ACTIVE" : "INACTIVE",
    ...(priority !== undefined && { priority }),
    conditions: toConditions(draft),
    actions: { idp },
  };
}

/** Whether the server would not miss anything. */
export function isComplete({ name, attribute, patterns, providers, expression }: Draft): boolean {
  return (
    name.trim() !== "" &&
    attribute?.trim() !== "" &&
    patterns.every(({ value }) => value.trim() !== "") &&
    (expression === undefined ? providers.length > 0 : expression.trim() !== "")
  );
}

function toConditions({ attribute, patterns, zones, platforms }: Draft): Conditions {
  return {
    ...(patterns.length > 0 && {
      userIdentifier:
        attribute === undefined
          ? { type: "IDENTIFIER" as const, patterns: [...patterns] }
          : { type: "ATTRIBUTE" as const, attribute, patterns: [...patterns] },
    }),
    ...(hasAny(zones) && { network: { connection: "ZONE" as const, ...withoutEmpty(zones, (id) => id) } }),
    ...(hasAny(platforms) && { platform: withoutEmpty(platforms, parsePlatform) }),
  };
}

function hasAny({ include, exclude }: Lists): boolean {
  return include.length + exclude.length > 0;
}

function withoutEmpty<T>({ include, exclude }: Lists, parse: (text: string) => T) {
  return {
    ...(include.length > 0 && { include: include.map(parse) }),
    ...(exclude.length > 0 && { exclude: exclude.map(parse) }),
  };
}

/** `MOBILE/IOS` */
function formatPlatform({ type, os }: PlatformEntry): string {
  return `${type}/${os?.type ?? "ANY"}`;
}

export function parsePlatform(text: string): PlatformEntry {
  const [type = "ANY", os = "ANY"] = text.split("/");
  return { type, os: { type: os } } as PlatformEntry;
}
