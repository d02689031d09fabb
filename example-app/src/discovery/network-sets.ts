import type { NetworkCondition } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import { growBits, wordOf, type Bits, type GrowingBits } from "./bits.js";
import type { FoundZone } from "./zones.js";

/** The network conditions of many rules. */
export interface NetworkSets {
  /** The rules with such a condition. */
  readonly conditional: Bits;
  /** A function that finds the rules in a word whose condition fails for a client in these zones. */
  failuresIn(zones: readonly FoundZone[]): (word: number) => number;
}

export interface NetworkSetsBuilder {
  add(rule: number, condition: NetworkCondition): void;
  build(): NetworkSets;
}

/** The rules that a zone is named in. */
interface ZoneSets {
  readonly include: GrowingBits;
  readonly exclude: GrowingBits;
}

/** For each zone the rules that include and exclude it, so that a question asks only for the zones of its client. */
export function createNetworkSetsBuilder(): NetworkSetsBuilder {
  const byZone = new Map<string, ZoneSets>();
  const conditional = growBits();
  const including = growBits();

  return {
    add(rule, { include = [], exclude = [] }) {
      conditional.add(rule);
      // a condition that names no zone never holds
      if (include.length > 0 || exclude.length === 0) including.add(rule);
      for (const id of include) setsOf(id).include.add(rule);
      for (const id of exclude) setsOf(id).exclude.add(rule);
    },
    build() {
      const required = including.build();
      const sets = new Map(
        Array.from(byZone, ([id, { include, exclude }]) => [
          id,
          { include: include.build(), exclude: exclude.build() },
        ]),
      );
      return {
        conditional: conditional.build(),
        failuresIn(zones) {
          const ids = zones.length === 0 ? [] : [ALL_ZONES, ...zones.map(({ id }) => id)];
          const named = ids.flatMap((id) => sets.get(id) ?? []);
          return (word) => {
            let included = 0;
            let excluded = 0;
            for (const { include, exclude } of named) {
              included |= wordOf(include, word);
              excluded |= wordOf(exclude, word);
            }
            return (wordOf(required, word) & ~included) | excluded;
          };
        },
      };
    },
  };

  function setsOf(id: string): ZoneSets {
    let sets = byZone.get(id);
    if (!sets) byZone.set(id, (sets = { include: growBits(), exclude: growBits() }));
    return sets;
  }
}
