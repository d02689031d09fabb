import fc from "fast-check";
import { compilePatternList, findPrefixes, findSubstrings } from "../../src/discovery/pattern-list.js";
import { runAtOnce } from "../../src/pace/steps.js";

function compile(patterns: readonly string[]) {
  return runAtOnce(compilePatternList(new Map(patterns.map((pattern) => [pattern, pattern]))));
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

describe("compilePatternList()", () => {
  it("finds what a text begins with, the longest first", () => {
    expect(prefixesOf(CLASSIC, "hers alone")).toEqual(["hers", "he"]);
    expect(prefixesOf(CLASSIC, "ushers")).toEqual([]);
    expect(prefixesOf(CLASSIC, "h")).toEqual([]);
  });

  it("finds what a text contains, each pattern once", () => {
    expect(substringsOf(CLASSIC, "ushers").sort()).toEqual(["he", "hers", "she"]);
    expect(substringsOf(["aa"], "aaaa")).toEqual(["aa"]);
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
        expect(substringsOf(patterns, asked).sort()).toEqual(patterns.filter((one) => asked.includes(one)).sort());
      }),
      { numRuns: 2_000 },
    );
  });

  it("sorts, merges and links thousands in many short steps", () => {
    const patterns = Array.from({ length: 3_000 }, (_, index) => `p${(index * 7_919) % 3_000}`);
    const steps = compilePatternList(new Map(patterns.map((text) => [text, text])));
    const costs: number[] = [];
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) costs.push(step.value);
    expect(step.value.patterns).toEqual(patterns.sort());
    expect(costs.length).toBeGreaterThan(3_000 / 256);
    expect(Math.max(...costs)).toBeLessThan(1_000);
    const found: string[] = [];
    findSubstrings(step.value, "xp1234", found);
    expect(found.sort()).toEqual(["p1", "p12", "p123", "p1234"]);
  });
});
