import type { NetworkCondition, PlatformCondition, User } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import { matchesPlatform } from "./platform-sets.js";
import type { ClientPlatform } from "./platform.js";
import type { FoundZone } from "./zones.js";

/**
 * The input of a routing decision: the login and facts about the client. A member is only read when a rule needs it.
 */
export interface Question {
  readonly login: string;
  readonly clientIp: string | undefined;
  readonly platform: ClientPlatform;
  /**
   * The profile of the user with this login, or `undefined`. Attributes beside the named ones may be missing.
   *
   * @param attributes each once
   * @throws {UnreadableProfile} when rules that need it are to be passed over
   */
  lookupProfile(attributes: readonly string[]): Promise<Profile | undefined>;
}

/** The profile can't be read now: rules that need it are passed over. */
export class UnreadableProfile extends Error {
  override readonly name = "UnreadableProfile";
}

export type Profile = Readonly<Record<string, User["profile"][string]>>;

/** Whether a condition on the network holds for a client in these zones. */
export function holdsInZones({ include = [], exclude = [] }: NetworkCondition, zones: readonly FoundZone[]): boolean {
  // a condition that names no zone never holds
  if (include.length > 0 ? !isAmong(include, zones) : exclude.length === 0) return false;
  return !isAmong(exclude, zones);
}

function isAmong(ids: readonly string[], zones: readonly FoundZone[]): boolean {
  return zones.length > 0 && (ids.includes(ALL_ZONES) || zones.some(({ id }) => ids.includes(id)));
}

/** Whether a condition on the platform holds. */
export function holdsOnPlatform({ include = [], exclude = [] }: PlatformCondition, platform: ClientPlatform): boolean {
  if (include.length > 0 && !include.some((entry) => matchesPlatform(entry, platform))) return false;
  return !exclude.some((entry) => matchesPlatform(entry, platform));
}

/** Whether a condition limits the platform. */
export function hasEntries({ include = [], exclude = [] }: PlatformCondition): boolean {
  return include.length + exclude.length > 0;
}
