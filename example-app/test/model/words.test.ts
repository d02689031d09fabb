import fc from "fast-check";
import {
  findQueryFault,
  foldText,
  MAX_QUERY_WORDS,
  MAX_USER_WORDS,
  MAX_WORD_LENGTH,
  queryWords,
  userWords,
  wordsOf,
} from "../../src/model/words.js";

const PROFILE = { login: "", email: "", firstName: "", lastName: "" };

const text = fc.string({ unit: "grapheme", maxLength: 20 });

test.each([
  ["SØREN", "soren"],
  ["Müller", "muller"],
  ["Mu\u0308ller", "muller"],
  ["STRAẞE Straße", "strasse strasse"],
  ["Łukasz Đorđe Þór Æsir œuvre", "lukasz dorde thor aesir oeuvre"],
  ["İIıi", "iiii"],
  ["ΟΔΥΣΣΕΎΣ Οδυσσεύς", "οδυσσευσ οδυσσευσ"],
  ["ＡＮＮ ﬁn", "ann fin"],
  ["Ёлкин Й", "елкин и"],
])("%s is compared as %s", (name, folded) => {
  expect(foldText(name)).toBe(folded);
});

test("what is folded stays so, whatever the text", () => {
  for (let point = 0; point <= 0x1_ffff; point++) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const folded = foldText(String.fromCodePoint(point));
    if (foldText(folded) !== folded) throw new Error(`U+${point.toString(16)}: ${foldText(folded)} is not ${folded}`);
  }
  fc.assert(fc.property(text, (each) => foldText(foldText(each)) === foldText(each)));
});

test("a text has the words of its parts, whatever its case and its composition", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(wordsOf(`${a} ${b}`)).toEqual([...wordsOf(a), ...wordsOf(b)]);
      expect(wordsOf(a.normalize("NFD"))).toEqual(wordsOf(a.normalize("NFC")));
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zäöüéñß ]{1,20}$/), (name) => {
      expect(wordsOf(name.toUpperCase())).toEqual(wordsOf(name));
    }),
  );
});

test("the beginning of each word, in any order, finds a user", () => {
  fc.assert(
    fc.property(text, text, fc.nat(), (firstName, lastName, seed) => {
      const words = userWords({ ...PROFILE, firstName, lastName });
      for (const name of [`${lastName} ${firstName}`, firstName.slice(0, seed % 5)]) {
        const wanted = queryWords(name);
        expect(wanted.filter((word) => !words.some((each) => each.startsWith(word)))).toEqual([]);
      }
    }),
  );
});

test("a login and an e-mail address have the words between their punctuation", () => {
  const profile = {
    login: "ann.adams@example.com",
    email: "A.Adams+x@mail-1.example",
    firstName: "Ann",
    lastName: "O'Brien",
  };
  expect(userWords(profile)).toEqual([..."1 a adams ann brien com example mail o x".split(" ")]);
  expect(wordsOf("Kaʻahumanu")).toEqual(wordsOf("Ka'ahumanu"));
  expect(userWords({ ...PROFILE, displayName: "Annie Adams" })).toEqual(["adams", "annie"]);
  expect(userWords({ ...PROFILE, displayName: ["Annie"] })).toEqual([]);
});

test("a query has no word that another one implies, and the longest first", () => {
  expect(queryWords("ann ANNA an bo Bob")).toEqual(["anna", "bob"]);
  expect(queryWords("x x")).toEqual(["x"]);
});

test.each([-1, 0, 1])("the bounds of words hold at n %i", (more) => {
  const length = MAX_WORD_LENGTH + more;
  expect(wordsOf("ä".repeat(length))).toEqual(["a".repeat(Math.min(length, MAX_WORD_LENGTH))]);
  expect(wordsOf("𝕏".repeat(length))).toEqual(["x".repeat(Math.min(length, MAX_WORD_LENGTH))]);
  expect(wordsOf("😀𐐷".repeat(length)).map((word) => Array.from(word).length)).toEqual(Array(length).fill(1));

  const count = MAX_USER_WORDS + more;
  const words = Array.from({ length: count }, (_, i) => `w${i}`);
  const found = userWords({ ...PROFILE, displayName: words.slice(1).join(" "), firstName: words[0]! });
  expect(found).toEqual(words.slice(0, MAX_USER_WORDS).sort());

  const query = Array.from({ length: MAX_QUERY_WORDS + more }, () => "ab").join("-");
  expect(findQueryFault(query)).toBe(
    more === 1 ? `found word 21 at offset 60, expected at most ${MAX_QUERY_WORDS} words` : undefined,
  );
});

test("of each text of a user, the first 256 characters count, and the first 512 of what they are folded to", () => {
  const find = (displayName: string) => userWords({ ...PROFILE, login: "ann", displayName });
  expect(find(`${"-".repeat(254)}be`)).toEqual(["ann", "be"]);
  expect(find(`${"-".repeat(255)}be`)).toEqual(["ann", "b"]);
  expect("\ufdfa".normalize("NFKD")).toHaveLength(18);
  expect(find(`${"\ufdfa".repeat(28)} 1234567`)).toContain("1234567");
  expect(find(`${"\ufdfa".repeat(28)} 12345678`)).toContain("1234567");
});

test("a display name of many words hides no login and no e-mail address", () => {
  const displayName = Array.from({ length: MAX_USER_WORDS }, (_, i) => `w${i}`).join(" ");
  const words = userWords({ ...PROFILE, login: "ann", email: "ann@example.com", displayName });
  expect(words).toHaveLength(MAX_USER_WORDS);
  expect(words.slice(0, 3)).toEqual(["ann", "com", "example"]);
});

test.each(["@", "-", "%_", "  ", "🙂"])("%j has no word", (query) => {
  expect(findQueryFault(query)).toBe("found no word at offset 0, expected a letter or a digit");
});

test("the offset of a word too many counts as the text does, also behind characters of two units", () => {
  const query = `😀😀 ${Array.from({ length: MAX_QUERY_WORDS + 1 }, (_, i) => `w${i}`).join(" ")}`;
  expect(findQueryFault(query)).toContain(`at offset ${query.lastIndexOf("w")},`);
});
