import type { IdentifierPattern } from "../model/rule-shapes.js";
import { addToBucket, createBucket, type Bucket } from "./bucket.js";
import { foldIdentifier } from "./identifier.js";
import { compilePatternList, findPrefixes, findSubstrings } from "./pattern-list.js";
import type { Steps } from "./steps.js";
import { createSuffixIndex } from "./suffix-index.js";

/** Append the buckets of all patterns that match `text` to `found`. `text` must be folded. */
export type IdentifierLookup = (text: string, found: Bucket[]) => void;

export interface IdentifierIndexBuilder {
  /** Add a rule under one of its patterns. Add rules in ascending order. */
  add(pattern: Readonly<IdentifierPattern>, rule: number, conditional: boolean): void;
  build(): Steps<IdentifierLookup>;
}

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
    add({ matchType, value }, rule, conditional) {
      const text = foldIdentifier(value);
      if (text === "") return;
      const bucket = matchType === "SUFFIX" ? suffixes.bucketFor(text) : getOrCreate(maps[matchType], text);
      addToBucket(bucket, rule, conditional);
    },
    *build() {
      const equal = maps.EQUALS;
      const prefixes = yield* compilePatternList(maps.STARTS_WITH);
      const substrings = yield* compilePatternList(maps.CONTAINS);
      return (text, found) => {
        const bucket = equal.get(text);
        if (bucket) found.push(bucket);
        suffixes.find(text, found);
        findPrefixes(prefixes, text, found);
        if (substrings.patterns.length > 0) findSubstrings(substrings, text, found);
      };
    },
  };
}

function getOrCreate(map: Map<string, Bucket>, key: string): Bucket {
  let bucket = map.get(key);
  if (!bucket) map.set(key, (bucket = createBucket()));
  return bucket;
}
