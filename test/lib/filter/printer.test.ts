import fc from "fast-check";
import { formatFilter, parseFilter } from "../../../lib/filter/index.js";
import { expression, withoutOffsets } from "../../support/filter.js";

describe("formatFilter", () => {
  it.each([
    ['  a   EQ  "x\\u0041" ', 'a eq "xA"'],
    ["((a PR))", "a pr"],
    ["a eq 1.50", "a eq 1.5"],
    ["a eq 1e21", "a eq 1e+21"],
    ["a eq -0", "a eq 0"],
    ["a eq TRUE", "a eq true"],
    ['a eq "\\u0022\\\\\\/"', 'a eq "\\"\\\\/"'],
    ["a pr or (b pr and c pr)", "a pr or b pr and c pr"],
    ["(a pr or b pr) and c pr", "(a pr or b pr) and c pr"],
    ["a pr and (b pr and c pr)", "a pr and (b pr and c pr)"],
    ["a pr or (b pr or c pr)", "a pr or (b pr or c pr)"],
    ["NOT((a pr))", "not (a pr)"],
    ["not(a pr or b pr)and c pr", "not (a pr or b pr) and c pr"],
  ])("F7 prints %s as %s", (text, canonical) => {
    expect(formatFilter(parseFilter(text))).toBe(canonical);
  });

  it("F10 is undone by the parser: parsing what is printed gives the same expression", () => {
    fc.assert(
      fc.property(expression, (filter) => {
        expect(withoutOffsets(parseFilter(formatFilter(filter), { maxBytesPerCharacter: 4 }))).toEqual(filter);
      }),
      { numRuns: 1000 },
    );
  });

  it("F10 prints what was printed unchanged, offsets included", () => {
    fc.assert(
      fc.property(expression, (filter) => {
        const text = formatFilter(filter);
        const parsed = parseFilter(text, { maxBytesPerCharacter: 4 });
        expect(formatFilter(parsed)).toBe(text);
        expect(parseFilter(formatFilter(parsed), { maxBytesPerCharacter: 4 })).toEqual(parsed);
      }),
    );
  });
});
