import type {
  NetworkCondition,
  PlatformCondition,
  PlatformEntry,
  Rule,
  User,
  UserIdentifierCondition,
  Zone,
} from "../model/records.js";
import { foldIdentifier, matchesPattern } from "./identifier.js";
import type { ClientPlatform } from "./platform.js";
import { createZoneCompiler, type ZonePredicate } from "./zones.js";

/**
 * The input of a routing decision: the login and facts about the client. A member is only read when a rule needs it.
 */
export interface Question {
  readonly login: string;
  readonly clientIp: string | undefined;
  readonly platform: ClientPlatform;
  /** The profile of the user with this login, or `undefined`. */
  lookupProfile(): Promise<Profile | undefined>;
}

export type Profile = Readonly<Record<string, User["profile"][string]>>;

/** A condition that needs no lookup. */
export interface Condition {
  readonly name: "network" | "platform";
  holds(question: Question): boolean;
}

/** A condition on the user's profile. It never holds for an absent user. */
export interface AttributeCondition {
  readonly attribute: string;
  holds(profile: Profile | undefined): boolean;
}

/** The conditions of a rule, except patterns on the identifier, which are in the index. */
export interface CompiledConditions {
  readonly conditions: readonly Condition[];
  readonly attribute: AttributeCondition | undefined;
}

/** A function that compiles the conditions of rules with these zones. */
export function createConditionCompiler(zones: readonly Zone[]): (rule: Rule) => CompiledConditions {
  const compileZoneList = createZoneCompiler(zones);

  return function compileConditions({ conditions: { network, platform, userIdentifier } }) {
    const conditions: Condition[] = [];
    if (network?.connection === "ZONE") conditions.push(compileNetwork(network, compileZoneList));
    if (platform && hasEntries(platform)) conditions.push(compilePlatform(platform));
    return { conditions, attribute: userIdentifier && compileAttribute(userIdentifier) };
  };
}

function compileNetwork(
  { include = [], exclude = [] }: NetworkCondition,
  compileZoneList: (ids: readonly string[]) => ZonePredicate,
): Condition {
  const included = include.length > 0 ? compileZoneList(include) : undefined;
  const excluded = exclude.length > 0 ? compileZoneList(exclude) : undefined;
  return {
    name: "network",
    holds({ clientIp }) {
      // a condition that names no zone never holds
      if (included ? !included(clientIp) : !excluded) return false;
      return !excluded?.(clientIp);
    },
  };
}

function compilePlatform({ include = [], exclude = [] }: PlatformCondition): Condition {
  return {
    name: "platform",
    holds({ platform }) {
      if (include.length > 0 && !include.some((entry) => matchesPlatform(entry, platform))) return false;
      return !exclude.some((entry) => matchesPlatform(entry, platform));
    },
  };
}

function hasEntries({ include = [], exclude = [] }: PlatformCondition): boolean {
  return include.length + exclude.length > 0;
}

function matchesPlatform({ type, os }: PlatformEntry, platform: ClientPlatform): boolean {
  if (type !== "ANY" && type !== platform.type) return false;
  return os === undefined || os.type === "ANY" || os.type === platform.os;
}

/** Holds when any pattern matches the value, or any of its values. A condition without patterns is left out. */
function compileAttribute({ type, attribute = "", patterns }: UserIdentifierCondition): AttributeCondition | undefined {
  if (type !== "ATTRIBUTE" || patterns.length === 0) return undefined;
  const folded = patterns.map(({ matchType, value }) => ({ matchType, value: foldIdentifier(value) }));
  return {
    attribute,
    holds(profile) {
      const value = profile && Object.hasOwn(profile, attribute) ? profile[attribute] : undefined;
      if (value === undefined) return false;
      return [value].flat().some((element) => {
        const text = foldIdentifier(String(element));
        return folded.some((pattern) => matchesPattern(pattern, text));
      });
    },
  };
}
