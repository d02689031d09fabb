import fc from "fast-check";
import { FilterError } from "../../../lib/filter/error.js";
import { Lexer } from "../../../lib/filter/lexer.js";

/** What `text` is, when it is one string and nothing else; `undefined` when it is not. */
function readString(text: string): unknown {
  try {
    const lexer = new Lexer(text);
    const { value, written } = lexer;
    return lexer.kind === "string" && written === text ? value : undefined;
  } catch (error) {
    if (error instanceof FilterError) return undefined;
    throw error;
  }
}

function readNaively(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as string;
    return /[\0\ud800-\udfff]/.test(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

describe("Lexer", () => {
  it("F2 agrees with JSON.parse on what is a string, but for U+0000 and surrogates", () => {
    const units = [
      "a",
      " ",
      "~",
      "\x1f",
      "\x7f",
      "\x80",
      "\uffff",
      "\ud83d",
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
        expect(readString(`"${content}"`)).toBe(readNaively(`"${content}"`));
      }),
      { numRuns: 3000 },
    );
  });

  it("F1 keeps a word as it was written, and knows it in any case", () => {
    const { kind, keyword, written } = new Lexer("  Or x");
    expect({ kind, keyword, written }).toEqual({ kind: "word", keyword: "or", written: "Or" });
  });
});
