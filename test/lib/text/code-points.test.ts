import fc from "fast-check";
import { compareCodePoints, countCodePoints, hasUnitOrder } from "../../../lib/text/code-points.js";

const text = fc.string({
  unit: fc.constantFrom("a", "b", "é", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{1f600}", "\u{10ffff}"),
  maxLength: 4,
});

describe("compareCodePoints", () => {
  it("orders texts as the bytes of their UTF-8", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 2000 },
    );
  });

  it("puts what comes after the surrogates before them, which `sort()` does not", () => {
    expect(compareCodePoints("\uff01", "\u{1f600}")).toBeLessThan(0);
    expect(["\u{1f600}", "\uff01"].toSorted(compareCodePoints)).toEqual(["\uff01", "\u{1f600}"]);
    expect(["\uff01", "\u{1f600}"].toSorted()).toEqual(["\u{1f600}", "\uff01"]);
  });
});

describe("hasUnitOrder", () => {
  it("is true of what `<` compares as code points are, with any other text", () => {
    expect(["", "a", "\ud7ff"].map(hasUnitOrder)).toEqual([true, true, true]);
    expect(["\ue000", "a\u{1f600}", "\ud800"].map(hasUnitOrder)).toEqual([false, false, false]);
    fc.assert(
      fc.property(text.filter(hasUnitOrder), text, (a, b) => {
        expect(a < b).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0);
      }),
    );
  });
});

describe("countCodePoints", () => {
  it("counts a character of four bytes, and half of one, as one", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "\uffff", "\u{1f600}", "\ud83d", "\ude00") }), (any) => {
        expect(countCodePoints(any)).toBe(Array.from(any).length);
      }),
    );
  });
});
