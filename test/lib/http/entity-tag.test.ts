import fc from "fast-check";
import {
  MAX_ENTITY_TAGS,
  MAX_ENTITY_TAGS_LENGTH,
  parseEntityTags,
  strongMatch,
  weakMatch,
} from "../../../lib/http/entity-tag.js";

describe("parseEntityTags", () => {
  it.each<[value: string, tags: string[]]>([
    ['"a"', ['"a"']],
    ['W/"a"', ['W/"a"']],
    ['""', ['""']],
    ['W/""', ['W/""']],
    ['"a", W/"b"', ['"a"', 'W/"b"']],
    ['"a","b"', ['"a"', '"b"']],
    ['"a"\t ,\t "b"', ['"a"', '"b"']],
    ['"a,b", "c"', ['"a,b"', '"c"']],
    ['"\u0080\u00e9\u00ff"', ['"\u0080\u00e9\u00ff"']],
    ['"a\\"', ['"a\\"']],
    ['"*"', ['"*"']],
    ['"W/"', ['"W/"']],
    [', "a",, ,"b",', ['"a"', '"b"']],
    ['  "a"  ', ['"a"']],
    ['"!#~"', ['"!#~"']],
  ])("T3 reads the tags of %j", (value, tags) => {
    expect(parseEntityTags(value)).toEqual({ condition: tags });
  });

  it("T3 reads * as any", () => {
    expect(parseEntityTags("*")).toEqual({ condition: "*" });
  });

  it.each([
    ["", "has no entity tag"],
    [" ", "has no entity tag"],
    [", ,", "has no entity tag"],
    ["abc", 'has "abc" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['w/"a"', 'has "w/\\"a\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['W/ "a"', 'has "W/ \\"a\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ["W/a", 'has "W/a" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['"a', 'has "\\"a" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['a"', 'has "a\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['"a" "b"', 'has "\\"a\\" \\"b\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['"a",  *', 'has "*" at offset 6, where a tag such as W/"1.abc" is expected'],
    ['*, "a"', 'has "*, \\"a\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ["*, *", 'has "*, *" at offset 0, where a tag such as W/"1.abc" is expected'],
    ["'a'", `has "'a'" at offset 0, where a tag such as W/"1.abc" is expected`],
    ['"a b"', 'has "\\"a b\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['"a\tb"', 'has "\\"a\\tb\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['"a\u007f"', 'has "\\"a\u007f\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['"a\u0100"', 'has "\\"a\u0100\\"" at offset 0, where a tag such as W/"1.abc" is expected'],
    ['"a"; q=1', 'has "\\"a\\"; q=1" at offset 0, where a tag such as W/"1.abc" is expected'],
  ])("T3 refuses %j", (value, fault) => {
    expect(parseEntityTags(value)).toEqual({ fault });
  });

  it.each([
    [MAX_ENTITY_TAGS_LENGTH - 1, true],
    [MAX_ENTITY_TAGS_LENGTH, true],
    [MAX_ENTITY_TAGS_LENGTH + 1, false],
  ])("takes 4,096 characters: %i", (length, isTaken) => {
    const value = `"${"a".repeat(length - 2)}"`;
    expect(parseEntityTags(value)).toEqual(
      isTaken ? { condition: [value] } : { fault: "is longer than 4096 characters" },
    );
  });

  it.each([
    [MAX_ENTITY_TAGS - 1, true],
    [MAX_ENTITY_TAGS, true],
    [MAX_ENTITY_TAGS + 1, false],
  ])("takes 64 tags: %i", (count, isTaken) => {
    const tags = Array.from({ length: count }, (_, index) => `"${index}"`);
    expect(parseEntityTags(tags.join())).toEqual(
      isTaken ? { condition: tags } : { fault: "has more than 64 entity tags" },
    );
  });

  it("reads back every list of tags, however it is spaced", () => {
    const etagc = fc.constantFrom(..."!#,;*/Wa\\~\u0080\u00ff".split(""));
    const tag = fc
      .tuple(fc.constantFrom("", "W/"), fc.string({ unit: etagc, maxLength: 8 }))
      .map(([weak, text]) => `${weak}"${text}"`);
    const comma = fc.stringMatching(/^[ \t]{0,2},(?:[ \t]{0,2},)?[ \t]{0,2}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(tag, comma), { minLength: 1, maxLength: 20 }), (pairs) => {
        const value = pairs.flat().join("");
        expect(parseEntityTags(value)).toEqual({ condition: pairs.map(([text]) => text) });
      }),
    );
  });

  it("takes a list only when it is of the grammar, whatever is sent", () => {
    const grammar = /^[ \t,]*(?:(?:W\/)?"[^" \t]*"[ \t]*(?:,[ \t,]*|$))+$/;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'W/"a, \t*'.split("")), maxLength: 12 }), (value) => {
        expect(parseEntityTags(value).fault === undefined).toBe(value === "*" || grammar.test(value));
      }),
      { numRuns: 5000 },
    );
  });
});

/** RFC 9110 section 8.8.3.2, table 3. */
describe.each([
  ['W/"1"', 'W/"1"', false, true],
  ['W/"1"', 'W/"2"', false, false],
  ['W/"1"', '"1"', false, true],
  ['"1"', '"1"', true, true],
])("%s and %s", (a, b, strong, weak) => {
  it(`T3 ${strong ? "match" : "do not match"} strongly`, () => {
    expect([strongMatch(a, b), strongMatch(b, a)]).toEqual([strong, strong]);
  });

  it(`T3 ${weak ? "match" : "do not match"} weakly`, () => {
    expect([weakMatch(a, b), weakMatch(b, a)]).toEqual([weak, weak]);
  });
});
