import type { PlatformCondition, PlatformEntry } from "../model/records.js";
import { growBits, wordOf, type Bits } from "./bits.js";
import { CLIENT_SYSTEMS, CLIENT_TYPES, type ClientPlatform } from "./platform.js";

/** The platform conditions of many rules. */
export interface PlatformSets {
  /** The rules with such a condition. */
  readonly conditional: Bits;
  /** A function that finds the rules in a word whose condition fails for this client. */
  failuresOf(platform: ClientPlatform): (word: number) => number;
}

export interface PlatformSetsBuilder {
  add(rule: number, condition: PlatformCondition): void;
  build(): PlatformSets;
}

/** Every platform that a client can have. The place of one here is its bit in a mask. */
export const PLATFORMS: readonly ClientPlatform[] = CLIENT_TYPES.flatMap((type) =>
  CLIENT_SYSTEMS.map((os) => ({ type, os })),
);

export const ALL_PLATFORMS = (1 << PLATFORMS.length) - 1;

/** Builds, for each platform, the set of the rules that it fails. */
export function createPlatformSetsBuilder(): PlatformSetsBuilder {
  const conditional = growBits();
  const failures = PLATFORMS.map(growBits);
  const findPlatforms = createPlatformFinder();

  return {
    add(rule, condition) {
      conditional.add(rule);
      const allowed = findPlatforms(condition);
      for (const [place, set] of failures.entries()) if ((allowed & (1 << place)) === 0) set.add(rule);
    },
    build() {
      const sets = failures.map((set) => set.build());
      return {
        conditional: conditional.build(),
        failuresOf({ type, os }) {
          const failed = sets[CLIENT_TYPES.indexOf(type) * CLIENT_SYSTEMS.length + CLIENT_SYSTEMS.indexOf(os)];
          return (word) => (failed ? wordOf(failed, word) : 0);
        },
      };
    },
  };
}

/** A function that finds the mask of the platforms for which a condition holds. */
export function createPlatformFinder(): (condition: PlatformCondition) => number {
  const masks = new Map<string, number>();
  return ({ include = [], exclude = [] }) => (include.length === 0 ? ALL_PLATFORMS : unite(include)) & ~unite(exclude);

  function unite(entries: readonly PlatformEntry[]): number {
    return entries.reduce((mask, entry) => mask | maskOf(entry), 0);
  }

  function maskOf(entry: PlatformEntry): number {
    const { type, os: { type: os } = { type: "ANY" } } = entry;
    const key = `${type} ${os}`;
    let mask = masks.get(key);
    if (mask === undefined) {
      mask = PLATFORMS.reduce(
        (bits, platform, place) => (matchesPlatform(entry, platform) ? bits | (1 << place) : bits),
        0,
      );
      masks.set(key, mask);
    }
    return mask;
  }
}

/** Whether an entry of a condition stands for a client's platform. */
export function matchesPlatform({ type, os }: PlatformEntry, platform: ClientPlatform): boolean {
  if (type !== "ANY" && type !== platform.type) return false;
  return os === undefined || os.type === "ANY" || os.type === platform.os;
}
