import { createHash } from "node:crypto";
import type { NetworkCondition, RuleConditions, Zone } from "../../model/records.js";
import { ALL_ZONES } from "../../model/shapes.js";
import { lowestBit } from "../bits.js";
import { ALL_PLATFORMS, createPlatformFinder, PLATFORMS } from "../platform-sets.js";
import type { ClientPlatform } from "../platform.js";
import type { ZoneFinder } from "../zones.js";

/** The conditions of a rule beside its patterns. Those that can't change the result are left out. */
export interface Conditions {
  /** The same for the same conditions; empty for none. */
  readonly key: string;
  readonly network: Network | undefined;
  /** A mask of the platforms for which they hold. */
  readonly platforms: number;
  /** The expression that selects a provider; empty for a rule that names its providers. */
  readonly expression: string;
}

/** The zones of which the client must be in one, and those in which it must not be; `ALL_ZONES` stands for all. */
interface Network {
  readonly include: ReadonlySet<string>;
  readonly exclude: ReadonlySet<string>;
}

export const CONTRADICTIONS = ["NO_ZONE", "ZONES_EXCLUDED", "PLATFORMS_EXCLUDED"] as const;

/** Why conditions never hold. */
type Contradiction = (typeof CONTRADICTIONS)[number];

/** A client for which conditions hold. A member is absent when it doesn't matter, or can't be known. */
export interface SampleClient {
  readonly clientIp?: string;
  readonly platform?: ClientPlatform;
}

/** Addresses of each zone, and of each condition, that are tried as samples. */
const MAX_ADDRESSES = 8;

/** Addresses for documentation, which are hardly in a zone (RFC 5737, RFC 3849). */
const OUTSIDE = ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1"];

/** The zones that can hold a client: the active ones with gateways, with some addresses of each. */
export type LiveZones = ReadonlyMap<string, readonly string[]>;

export function toLiveZone({ id, status, gateways }: Zone): [id: string, addresses: string[]] | undefined {
  if (status !== "ACTIVE" || gateways.length === 0) return undefined;
  return [id, gateways.slice(0, MAX_ADDRESSES).map(({ value }) => value.replace(/[/-].*$/, ""))];
}

/** A function that compiles conditions. Rules with the same ones share an object. */
export function createConditionsCompiler(zones: LiveZones) {
  const findPlatforms = createPlatformFinder();
  const known = new Map<string, Conditions>();

  return function compile({ network, platform = {} }: RuleConditions, expression: string): Conditions | Contradiction {
    const platforms = findPlatforms(platform);
    if (platforms === 0) return "PLATFORMS_EXCLUDED";
    const compiled = network?.connection === "ZONE" ? compileNetwork(network, zones) : undefined;
    if (typeof compiled === "string") return compiled;
    if (!compiled && platforms === ALL_PLATFORMS && expression === "") return UNCONDITIONAL;
    const parts = [[...(compiled?.include ?? [])].sort(), [...(compiled?.exclude ?? [])].sort(), platforms, expression];
    const key = createHash("sha256").update(JSON.stringify(parts)).digest("base64");
    let conditions = known.get(key);
    if (!conditions) known.set(key, (conditions = { key, network: compiled, platforms, expression }));
    return conditions;
  };
}

export const UNCONDITIONAL: Conditions = { key: "", network: undefined, platforms: ALL_PLATFORMS, expression: "" };

function compileNetwork(condition: NetworkCondition, zones: LiveZones): Network | Contradiction | undefined {
  const isLive = (id: string) => (id === ALL_ZONES ? zones.size > 0 : zones.has(id));
  const include = new Set(condition.include?.filter(isLive));
  const exclude = new Set(condition.exclude?.filter(isLive));
  if (include.size === 0) {
    const { length: named } = condition.include ?? [];
    if (named > 0 || (condition.exclude ?? []).length === 0) return "NO_ZONE"; // one that names no zone never holds
    return exclude.size === 0 ? undefined : { include, exclude };
  }
  const included = include.has(ALL_ZONES) ? [...zones.keys()] : [...include];
  if (exclude.has(ALL_ZONES) || included.every((id) => exclude.has(id))) return "ZONES_EXCLUDED";
  return { include, exclude };
}

/** Whether `wide` hold wherever `narrow` do. It may be so although this says no. */
export function isWeaker(wide: Conditions, narrow: Conditions): boolean {
  if (wide.key === "" || wide.key === narrow.key) return true;
  if ((narrow.platforms & ~wide.platforms) !== 0) return false;
  if (wide.expression !== "" && wide.expression !== narrow.expression) return false;
  return wide.network === undefined || (narrow.network !== undefined && isWider(wide.network, narrow.network));
}

function isWider(wide: Network, narrow: Network): boolean {
  if (wide.include.size > 0) {
    if (narrow.include.size === 0) return false;
    if (!wide.include.has(ALL_ZONES) && !isSubset(narrow.include, wide.include)) return false;
  }
  return narrow.exclude.has(ALL_ZONES) || isSubset(wide.exclude, narrow.exclude);
}

function isSubset(small: ReadonlySet<string>, large: ReadonlySet<string>): boolean {
  if (small.size > large.size) return false;
  for (const element of small) if (!large.has(element)) return false;
  return true;
}

/** A function that finds a client for which both conditions hold; `undefined` where it finds none. */
export function createClientFinder(zones: LiveZones, findZones: ZoneFinder) {
  const found = new Map<string, ReadonlySet<string>>(); // zones by address

  return function findClient(one: Conditions, other: Conditions): SampleClient | undefined {
    if (one.key === "" && other.key === "") return ANYBODY;
    const platforms = one.platforms & other.platforms;
    if (platforms === 0) return undefined;
    const platform = platforms === ALL_PLATFORMS ? undefined : PLATFORMS[lowestBit(platforms)];
    const networks = [one.network, other.network].filter((network) => network !== undefined);
    const addresses: (string | undefined)[] = networks.flatMap(({ include }) => addressesIn(include));
    if (networks.length > 0) addresses.push(...OUTSIDE);
    addresses.push(undefined);
    for (const clientIp of addresses) {
      const ids = zonesOf(clientIp);
      if (!networks.every((network) => holdsIn(network, ids))) continue;
      return { ...(clientIp !== undefined && { clientIp }), ...(platform && { platform }) };
    }
    return undefined;
  };

  function addressesIn(ids: ReadonlySet<string>): string[] {
    const addresses: string[] = [];
    for (const id of ids.has(ALL_ZONES) ? zones.keys() : ids) {
      addresses.push(...(zones.get(id) ?? []));
      if (addresses.length >= MAX_ADDRESSES) break;
    }
    return addresses;
  }

  function zonesOf(address: string | undefined): ReadonlySet<string> {
    if (address === undefined) return NOWHERE;
    let ids = found.get(address);
    if (!ids) found.set(address, (ids = new Set(findZones(address).map(({ id }) => id))));
    return ids;
  }
}

const ANYBODY: SampleClient = {};

const NOWHERE: ReadonlySet<string> = new Set();

function holdsIn({ include, exclude }: Network, zones: ReadonlySet<string>): boolean {
  return (include.size === 0 || isAmong(include, zones)) && !isAmong(exclude, zones);
}

function isAmong(ids: ReadonlySet<string>, zones: ReadonlySet<string>): boolean {
  if (zones.size > 0 && ids.has(ALL_ZONES)) return true;
  for (const id of zones) if (ids.has(id)) return true;
  return false;
}
