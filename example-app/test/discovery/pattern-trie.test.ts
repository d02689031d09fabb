import fc from "fast-check";
import { compilePatternTrie, findPrefixes, findSubstrings } from "../../src/discovery/pattern-trie.js";

function compile(patterns: readonly string[]) {
  return compilePatternTrie(new Map(patterns.map((pattern) => [pattern, pattern])));
}

function prefixesOf(patterns: readonly string[], text: string): string[] {
  const found: string[] = [];
  findPrefixes(compile(patterns), text, found);
  return found;
}

function substringsOf(patterns: readonly string[], text: string): string[] {
  const found: string[] = [];
  findSubstrings(compile(patterns), text, found);
  return found;
}

const CLASSIC = ["he", "she", "his", "hers"];

describe("compilePatternTrie()", () => {
  it("finds what a text begins with, the shortest first", () => {
    expect(prefixesOf(CLASSIC, "hers alone")).toEqual(["he", "hers"]);
    expect(prefixesOf(CLASSIC, "ushers")).toEqual([]);
    expect(prefixesOf(CLASSIC, "h")).toEqual([]);
  });

  it("finds what a text contains, once for each occurrence", () => {
    expect(substringsOf(CLASSIC, "ushers").sort()).toEqual(["he", "hers", "she"]);
    expect(substringsOf(["aa"], "aaaa")).toEqual(["aa", "aa", "aa"]);
  });

  it("finds nothing without patterns and in an empty text", () => {
    expect(substringsOf([], "text")).toEqual([]);
    expect(prefixesOf([], "text")).toEqual([]);
    expect(substringsOf(CLASSIC, "")).toEqual([]);
  });

  it("takes characters of any code", () => {
    expect(substringsOf(["\u0000", "\uffff", "é", "😀"], "a\u0000b\uffffcéd😀")).toEqual([
      "\u0000",
      "\uffff",
      "é",
      "😀",
    ]);
  });

  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });

  it("agrees with startsWith and includes", () => {
    fc.assert(
      fc.property(fc.uniqueArray(pattern, { maxLength: 30 }), text, (patterns, asked) => {
        expect(prefixesOf(patterns, asked).sort()).toEqual(patterns.filter((one) => asked.startsWith(one)).sort());
        expect([...new Set(substringsOf(patterns, asked))].sort()).toEqual(
          patterns.filter((one) => asked.includes(one)).sort(),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
