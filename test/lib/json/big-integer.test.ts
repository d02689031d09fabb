import fc from "fast-check";
import { findBigInteger, isBigInteger } from "../../../lib/json/big-integer.js";
import { readJson } from "../../../lib/json/read-json.js";

/** The last integer that a double holds exactly with all below it, and its neighbours. */
const LIMIT = "9007199254740991";

const integer = fc.oneof(
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
  fc.constantFrom("-0", "0", LIMIT, `-${LIMIT}`),
);

const fraction = fc
  .tuple(integer, fc.constantFrom(".0", ".12345678901234567890", "e0", "E+20", "e-17", ".5e10"))
  .map((parts) => parts.join(""));

/** Names and texts have digits too, and what looks like a part of JSON before them. */
const digits = fc
  .array(fc.constantFrom(...'0123456789 ,:[]{}-\\"é'.split("")), { maxLength: 40 })
  .map((characters) => JSON.stringify(characters.join("")));

const space = fc.constantFrom("", "", " ", "\n\t");

const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    integer,
    fraction,
    digits,
    fc.constantFrom("true", "false", "null"),
    fc
      .tuple(space, fc.array(tie("json"), { maxLength: 4 }))
      .map(([gap, elements]) => `[${gap}${elements.join(`${gap},${gap}`)}${gap}]`),
    fc
      .tuple(space, fc.array(fc.tuple(digits, tie("json")), { maxLength: 4 }))
      .map(
        ([gap, members]) => `{${members.map(([name, value]) => `${gap}${name}${gap}:${gap}${value}`).join(",")}${gap}}`,
      ),
  ),
}));

/** The numbers of a text in their order, read with a grammar and not with a search. */
function numbersOf(text: string): { token: string; offset: number }[] {
  const tokens = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;
  return [...text.matchAll(tokens)]
    .filter(([token]) => !token.startsWith('"'))
    .map((match) => ({ token: match[0], offset: Buffer.byteLength(text.slice(0, match.index)) }));
}

/** By the digits alone. */
function isBeyond(token: string): boolean {
  return /^-?[0-9]+$/.test(token) && (BigInt(token) > BigInt(LIMIT) || BigInt(token) < -BigInt(LIMIT));
}

describe("findBigInteger", () => {
  it("finds the first one that is no part of a string, in any JSON", () => {
    let found = 0;
    fc.assert(
      fc.property(json, (text) => {
        const first = numbersOf(text).find(({ token }) => isBeyond(token));
        const expected = first && { offset: first.offset, end: first.offset + first.token.length };
        if (first) found++;
        expect(findBigInteger(Buffer.from(text))).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(300);
  });

  it.each([
    [LIMIT, undefined],
    ["9007199254740990", undefined],
    ["9007199254740992", { offset: 0, end: 16 }],
    [`-${LIMIT}`, undefined],
    ["-9007199254740992", { offset: 0, end: 17 }],
    ["123456789012345", undefined],
    ["1000000000000000", undefined],
    ["12345678901234567", { offset: 0, end: 17 }],
    ["9007199254740993.0", undefined],
    ["9007199254740993e0", undefined],
    ["9007199254740993E0", undefined],
    ["1e20", undefined],
    ["0.9007199254740993", undefined],
    [`["${"9".repeat(30)}"]`, undefined],
    [`["a, ${"9".repeat(30)}",${"9".repeat(20)}]`, { offset: 37, end: 57 }],
    [String.raw`{"\\":12345678901234567}`, { offset: 6, end: 23 }],
    [String.raw`{"\":12345678901234567}":1}`, undefined],
  ])("finds in %s %j", (text, expected) => {
    expect(findBigInteger(Buffer.from(text))).toEqual(expected);
  });

  it.each([15, 16, 17])("finds one of many digits wherever it begins, by %d digits", (min) => {
    for (let before = 0; before < 40; before++) {
      const text = `[${"1,".repeat(before)}${" ".repeat(before % 3)}${"9".repeat(min)}]`;
      const expected = min > 15 ? { offset: text.indexOf("9"), end: text.length - 1 } : undefined;
      expect(findBigInteger(Buffer.from(text))).toEqual(expected);
    }
  });

  it("takes only those of at least so many digits", () => {
    const bytes = Buffer.from(`[${"9".repeat(20)},${"8".repeat(30)}]`);
    expect([20, 21, 30, 31].map((min) => findBigInteger(bytes, min)?.offset)).toEqual([1, 22, 22, undefined]);
  });
});

describe("readJson", () => {
  it("reads any JSON as JSON.parse does, but for its big integers", () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(readJson(text)).toStrictEqual(JSON.parse(text));
        const marked: string[] = [];
        const value = readJson(text, (token) => {
          if (!isBigInteger(token)) return Number(token);
          marked.push(token);
          return token;
        });
        expect(marked).toEqual(numbersOf(text).flatMap(({ token }) => (isBeyond(token) ? [token] : [])));
        const quoted = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g, (token) =>
          isBeyond(token.startsWith('"') ? "0" : token) ? `"${token}"` : token,
        );
        expect(value).toStrictEqual(JSON.parse(quoted));
      }),
      { numRuns: 2000 },
    );
  });
});
