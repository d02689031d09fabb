import type { IdentifierPattern } from "../model/rule-shapes.js";
import { addToBucket, createBucket, type Bucket, type RulePlace } from "./bucket.js";
import { foldIdentifier } from "./identifier.js";
import {
  compilePatternList,
  createSubstringSearch,
  findPrefixes,
  findSubstrings,
  type PatternList,
} from "./pattern-list.js";
import type { Steps } from "../pace/steps.js";
import { createSuffixIndex } from "./suffix-index.js";

/** Rules by their patterns. */
export interface IdentifierIndex {
  /** Append the buckets of all patterns that match `text` to `found`. `text` must be folded and short. */
  find(text: string, found: Bucket[]): void;
  /** The same for texts of any length and number. */
  findInSteps(texts: readonly string[], found: Bucket[]): Steps<void>;
}

export interface IdentifierIndexBuilder {
  /** Add a rule under one of its patterns. Add rules in ascending order. */
  add(pattern: Readonly<IdentifierPattern>, rule: RulePlace): void;
  build(): Steps<IdentifierIndex>;
}

/** Characters of a text that one step searches. */
const STEP_LENGTH = 256;

/** Characters that are hashed in a microsecond. */
const HASHED_PER_COST = 500;

/**
 * Collect rules by identifier pattern, then compile them. The cost of a lookup depends on the identifier, not on the
 * number of rules. Empty patterns match nothing and are left out.
 */
export function createIdentifierIndexBuilder(): IdentifierIndexBuilder {
  const suffixes = createSuffixIndex();
  const maps = {
    EQUALS: new Map<string, Bucket>(),
    STARTS_WITH: new Map<string, Bucket>(),
    CONTAINS: new Map<string, Bucket>(),
  };

  return {
    add({ matchType, value }, rule) {
      const text = foldIdentifier(value);
      if (text === "") return;
      const bucket = matchType === "SUFFIX" ? suffixes.bucketFor(text) : getOrCreate(maps[matchType], text);
      addToBucket(bucket, rule);
    },
    *build() {
      const prefixes = yield* compilePatternList(maps.STARTS_WITH);
      const substrings = yield* compilePatternList(maps.CONTAINS);
      const findWhole = (text: string, found: Bucket[]): void => {
        const bucket = maps.EQUALS.get(text);
        if (bucket) found.push(bucket);
        suffixes.find(text, found);
        findPrefixes(prefixes, text, found);
      };
      return {
        find(text, found) {
          findWhole(text, found);
          if (substrings.patterns.length > 0) findSubstrings(substrings, text, found);
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

function* findSubstringsInSteps(list: PatternList<Bucket>, texts: readonly string[], found: Bucket[]): Steps<void> {
  const searchPart = createSubstringSearch(list, found);
  for (const text of texts) {
    for (let start = 0; start < text.length; start += STEP_LENGTH) {
      yield searchPart(text, start, Math.min(start + STEP_LENGTH, text.length));
    }
  }
}

function getOrCreate(map: Map<string, Bucket>, key: string): Bucket {
  let bucket = map.get(key);
  if (!bucket) map.set(key, (bucket = createBucket()));
  return bucket;
}
