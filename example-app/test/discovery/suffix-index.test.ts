import fc from "fast-check";
import { createBucket, type Bucket } from "../../src/discovery/bucket.js";
import { matchesPattern } from "../../src/discovery/identifier.js";
import { createSuffixIndex } from "../../src/discovery/suffix-index.js";

function suffixesOf(suffixes: readonly string[], text: string): string[] {
  const index = createSuffixIndex(createBucket);
  const names = new Map(suffixes.map((suffix) => [index.bucketFor(suffix), suffix]));
  const found: Bucket[] = [];
  index.find(text, found);
  return found.map((bucket) => names.get(bucket) ?? "");
}

describe("createSuffixIndex()", () => {
  it("finds the suffixes that begin at a boundary", () => {
    const all = ["com", "example.com", "@example.com", ".example.com", "ple.com", "joe@example.com"];
    expect(suffixesOf(all, "joe@example.com")).toEqual(["com", "example.com", "@example.com", "joe@example.com"]);
    expect(suffixesOf(all, "joe@sub.example.com")).toEqual(["com", "example.com", ".example.com"]);
  });

  it("has one bucket for each suffix", () => {
    const index = createSuffixIndex(createBucket);
    expect(index.bucketFor("example.com")).toBe(index.bucketFor("example.com"));
  });

  it("agrees with matchesPattern()", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "@"), maxLength: 12 });
    const suffix = fc.string({ unit: fc.constantFrom("a", "b", ".", "@"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.uniqueArray(suffix, { maxLength: 30 }), text, (suffixes, asked) => {
        const expected = suffixes.filter((value) => matchesPattern({ matchType: "SUFFIX", value }, asked));
        expect(suffixesOf(suffixes, asked).sort()).toEqual(expected.sort());
      }),
      { numRuns: 2_000 },
    );
  });
});
