import fc from "fast-check";
import { FilterError } from "../../../lib/filter/error.js";
import { Lexer } from "../../../lib/filter/lexer.js";

/** What `text` is, when it is one string and nothing else; `undefined` when it is not. */
function readString(text: string, maxBytes: 3 | 4): unknown {
  try {
    const lexer = new Lexer(text, maxBytes);
    const { value, written } = lexer;
    return lexer.kind === "string" && written === text ? value : undefined;
  } catch (error) {
    if (error instanceof FilterError) return undefined;
    throw error;
  }
}

/** A pair of which one half is written as an escape is refused: in UTF-8 no half can stand there. */
function readNaively(text: string, maxBytes: 3 | 4): string | undefined {
  if (maxBytes === 4 && /\p{Surrogate}/u.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as string;
    return (maxBytes === 4 ? /[\0\p{Surrogate}]/u : /[\0\ud800-\udfff]/).test(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

describe("Lexer", () => {
  it.each([3, 4] as const)("F2 agrees with JSON.parse on a string, but for U+0000 and surrogates, %i", (maxBytes) => {
    const units = [
      "a",
      " ",
      "~",
      "\x1f",
      "\x7f",
      "\x80",
      "\uffff",
      "\ud83d",
      "\ude00",
      String.raw`\ud83d`,
      String.raw`\uDE00`,
      "\\",
      "\\",
      '"',
      "n",
      "u",
      "0041",
      "0000",
    ];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...units), maxLength: 8 }), (content) => {
        expect(readString(`"${content}"`, maxBytes)).toBe(readNaively(`"${content}"`, maxBytes));
      }),
      { numRuns: 3000 },
    );
  });

  it("F1 keeps a word as it was written, and knows it in any case", () => {
    const { kind, keyword, written } = new Lexer("  Or x");
    expect({ kind, keyword, written }).toEqual({ kind: "word", keyword: "or", written: "Or" });
  });
});
