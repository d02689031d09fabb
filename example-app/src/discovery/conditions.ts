import type {
  NetworkCondition,
  PlatformCondition,
  PlatformEntry,
  Rule,
  User,
  UserIdentifierCondition,
} from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import { foldIdentifier, matchesPattern } from "./identifier.js";
import type { ClientPlatform } from "./platform.js";
import type { ZoneFinder } from "./zones.js";

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

/** A function that compiles the conditions of rules. Facts that several rules need are found once for each question. */
export function createConditionCompiler(findZones: ZoneFinder): (rule: Rule) => CompiledConditions {
  const zonesOf = memoize(
    new WeakMap<Question, ReadonlySet<string>>(),
    ({ clientIp }) => new Set(findZones(clientIp).map(({ id }) => id)),
  );
  const textsOf = memoize(new WeakMap<Profile, (attribute: string) => readonly string[]>(), (profile) =>
    memoize(new Map<string, readonly string[]>(), (attribute) => {
      const value = Object.hasOwn(profile, attribute) ? profile[attribute] : undefined;
      return value === undefined ? [] : [value].flat().map((element) => foldIdentifier(String(element)));
    }),
  );

  return function compileConditions({ conditions: { network, platform, userIdentifier } }) {
    const conditions: Condition[] = [];
    if (network?.connection === "ZONE") conditions.push(compileNetwork(network, zonesOf));
    if (platform && hasEntries(platform)) conditions.push(compilePlatform(platform));
    return { conditions, attribute: userIdentifier && compileAttribute(userIdentifier, textsOf) };
  };
}

function compileNetwork(
  { include = [], exclude = [] }: NetworkCondition,
  zonesOf: (question: Question) => ReadonlySet<string>,
): Condition {
  return {
    name: "network",
    holds(question) {
      const zones = zonesOf(question);
      // a condition that names no zone never holds
      if (include.length > 0 ? !isAmong(include, zones) : exclude.length === 0) return false;
      return !isAmong(exclude, zones);
    },
  };
}

function isAmong(ids: readonly string[], zones: ReadonlySet<string>): boolean {
  return zones.size > 0 && ids.some((id) => id === ALL_ZONES || zones.has(id));
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
function compileAttribute(
  { type, attribute = "", patterns }: UserIdentifierCondition,
  textsOf: (profile: Profile) => (attribute: string) => readonly string[],
): AttributeCondition | undefined {
  if (type !== "ATTRIBUTE" || patterns.length === 0) return undefined;
  const folded = patterns.map(({ matchType, value }) => ({ matchType, value: foldIdentifier(value) }));
  return {
    attribute,
    holds(profile) {
      if (!profile) return false;
      return textsOf(profile)(attribute).some((text) => folded.some((pattern) => matchesPattern(pattern, text)));
    },
  };
}

/** Call `find` once for each key. */
function memoize<K, V>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  find: (key: K) => V,
): (key: K) => V {
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = find(key)));
    return value;
  };
}
