import fc from "fast-check";
import { hasWords, markWords, splitWords } from "../../console/src/parts/find-words.js";
import { foldText } from "../../src/model/words.js";

describe("The search of the console", () => {
  it.each([
    ["soren", "Søren Ægir"],
    ["SØREN aegir", "Søren Ægir"],
    ["strasse", "Hauptstraße"],
    ["lodz", "Łódź"],
    ["muller", "Müller"],
    ["sigma", "Sigma"],
    ["ΟΔΟΣ", "οδος"],
    ["office 10", "Office １０"],
  ])("finds by %j what is %j", (search, text) => {
    expect(hasWords(text, splitWords(search))).toBe(true);
  });

  it("finds no word that is not there", () => {
    expect(hasWords("Søren Ægir", splitWords("soren other"))).toBe(false);
  });

  it("marks the letters that it found, also where one is two", () => {
    expect(markWords("Straße 7", splitWords("ss"))).toEqual([
      { text: "Stra", isFound: false },
      { text: "ß", isFound: true },
      { text: "e 7", isFound: false },
    ]);
  });

  it("finds each word of a text in it, and marks all that the words have", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const words = splitWords(text);
        expect(hasWords(text, words)).toBe(true);
        const parts = markWords(text, words);
        expect(parts.map((part) => part.text).join("")).toBe(text);
        const marked = parts.filter(({ isFound }) => isFound).map((part) => part.text);
        expect(foldText(marked.join("")).replaceAll(/\s/g, "")).toBe(words.join(""));
      }),
    );
  });
});
