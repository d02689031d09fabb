import type { IdentifierPattern } from "../model/rule-shapes.js";
import {
  compilePatternList,
  createSubstringSearch,
  findPrefixes,
  findSubstrings,
  type PatternList,
} from "./pattern-list.js";
import type { Steps } from "../pace/steps.js";
import { createSuffixIndex } from "./suffix-index.js";

/** Rules by their patterns. `B` is what there is for each different pattern. */
export interface IdentifierIndex<B> {
  /** Append the buckets of all patterns that match `text` to `found`. `text` must be folded and short. */
  find(text: string, found: B[]): void;
  /** Append the buckets of the patterns that match every text that `pattern` matches. It must be folded, and not empty. */
  findCovering(pattern: Readonly<IdentifierPattern>, found: B[]): void;
  /** The same for texts of any length and number. */
  findInSteps(texts: readonly string[], found: B[]): Steps<void>;
}

export interface IdentifierIndexBuilder<B> {
  /** The bucket of a folded pattern; created when there is none. `undefined` for an empty one, which matches nothing. */
  bucketFor(pattern: Readonly<IdentifierPattern>): B | undefined;
  build(): Steps<IdentifierIndex<B>>;
}

/** Characters of a text that one step searches. */
const STEP_LENGTH = 256;

/** Characters that are hashed in a microsecond. */
const HASHED_PER_COST = 500;

/**
 * Collect rules by identifier pattern, then compile them. The cost of a lookup depends on the identifier, not on the
 * number of rules.
 */
export function createIdentifierIndexBuilder<B>(createBucket: () => B): IdentifierIndexBuilder<B> {
  const suffixes = createSuffixIndex(createBucket);
  const maps = { EQUALS: new Map<string, B>(), STARTS_WITH: new Map<string, B>(), CONTAINS: new Map<string, B>() };

  return {
    bucketFor({ matchType, value }) {
      if (value === "") return undefined;
      return matchType === "SUFFIX" ? suffixes.bucketFor(value) : getOrCreate(maps[matchType], value, createBucket);
    },
    *build() {
      const prefixes = yield* compilePatternList(maps.STARTS_WITH);
      const substrings = yield* compilePatternList(maps.CONTAINS);
      const findWhole = (text: string, found: B[]): void => {
        const bucket = maps.EQUALS.get(text);
        if (bucket) found.push(bucket);
        suffixes.find(text, found);
        findPrefixes(prefixes, text, found);
      };
      const findParts = (text: string, found: B[]): void => {
        if (substrings.patterns.length > 0) findSubstrings(substrings, text, found);
      };
      return {
        find(text, found) {
          findWhole(text, found);
          findParts(text, found);
        },
        findCovering({ matchType, value }, found) {
          if (matchType === "EQUALS") findWhole(value, found);
          else if (matchType === "SUFFIX") suffixes.find(value, found);
          else if (matchType === "STARTS_WITH") findPrefixes(prefixes, value, found);
          findParts(value, found);
        },
        *findInSteps(texts, found) {
          for (const text of texts) {
            findWhole(text, found);
            yield 1 + text.length / HASHED_PER_COST + suffixes.cost();
          }
          if (substrings.patterns.length > 0) yield* findSubstringsInSteps(substrings, texts, found);
        },
      };
    },
  };
}

function* findSubstringsInSteps<B>(list: PatternList<B>, texts: readonly string[], found: B[]): Steps<void> {
  const searchPart = createSubstringSearch(list, found);
  for (const text of texts) {
    for (let start = 0; start < text.length; start += STEP_LENGTH) {
      yield searchPart(text, start, Math.min(start + STEP_LENGTH, text.length));
    }
  }
}

function getOrCreate<B>(map: Map<string, B>, key: string, createBucket: () => B): B {
  let bucket = map.get(key);
  if (!bucket) map.set(key, (bucket = createBucket()));
  return bucket;
}
