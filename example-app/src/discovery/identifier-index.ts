import type { IdentifierPattern } from "../model/rule-shapes.js";
import { addToBucket, createBucket, type Bucket } from "./bucket.js";
import { foldIdentifier } from "./identifier.js";
import { compilePatternTrie, findPrefixes, findSubstrings, type PatternTrie } from "./pattern-trie.js";
import { createSuffixTrie } from "./suffix-trie.js";

/** Rules by identifier pattern. The cost of a lookup depends on the identifier, not on the number of rules. */
export interface IdentifierIndex {
  /** Append the buckets of all patterns that match `text` to `found`. `text` must be folded. */
  find(text: string, found: Bucket[]): void;
}

export interface IdentifierIndexBuilder {
  /** Add a rule under one of its patterns. Add rules in ascending order. */
  add(pattern: Readonly<IdentifierPattern>, rule: number, conditional: boolean): void;
  build(): IdentifierIndex;
}

/** Collect rules, then compile them. Empty patterns match nothing and are left out. */
export function createIdentifierIndexBuilder(): IdentifierIndexBuilder {
  const equal = new Map<string, Bucket>();
  const suffixes = createSuffixTrie();
  const prefixes = new Map<string, Bucket>();
  const substrings = new Map<string, Bucket>();

  return {
    add({ matchType, value }, rule, conditional) {
      const text = foldIdentifier(value);
      if (text === "") return;
      addToBucket(bucketFor(matchType, text), rule, conditional);
    },
    build() {
      const prefixTrie = compileUnlessEmpty(prefixes);
      const substringTrie = compileUnlessEmpty(substrings);
      return {
        find(text, found) {
          const bucket = equal.get(text);
          if (bucket) found.push(bucket);
          suffixes.find(text, found);
          if (prefixTrie) findPrefixes(prefixTrie, text, found);
          if (substringTrie) findSubstrings(substringTrie, text, found);
        },
      };
    },
  };

  function bucketFor(matchType: IdentifierPattern["matchType"], text: string): Bucket {
    switch (matchType) {
      case "EQUALS":
        return getOrCreate(equal, text);
      case "SUFFIX":
        return suffixes.bucketFor(text);
      case "STARTS_WITH":
        return getOrCreate(prefixes, text);
      case "CONTAINS":
        return getOrCreate(substrings, text);
    }
  }
}

function getOrCreate(map: Map<string, Bucket>, key: string): Bucket {
  let bucket = map.get(key);
  if (!bucket) map.set(key, (bucket = createBucket()));
  return bucket;
}

function compileUnlessEmpty(patterns: ReadonlyMap<string, Bucket>): PatternTrie<Bucket> | undefined {
  return patterns.size > 0 ? compilePatternTrie(patterns) : undefined;
}
