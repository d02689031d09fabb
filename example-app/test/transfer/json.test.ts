import * as fc from "fast-check";
import { parseCheckedJson } from "../../src/transfer/json.js";
import { findLines } from "../../src/transfer/lines.js";

describe("parseCheckedJson", () => {
  it("gives the value of JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseCheckedJson(text)).toEqual({ value: JSON.parse(text), faults: [] });
      }),
    );
  });

  it.each([
    ["", 1, "is not JSON: Value expected"],
    ["\n\n{ a: 1 }", 3, "is not JSON: Invalid symbol"],
    ['{\n"a": 1,\n}', 3, "is not JSON: Property name expected"],
    ['{\r\n"a": 1 "b": 2}', 2, "is not JSON: Comma expected"],
    ["[1, 2\n", 2, "is not JSON: Close bracket expected"],
    ["{}\n{}", 2, "is not JSON: End of file expected"],
    ["// note\n{}", 1, "is not JSON: Invalid comment token"],
    ['["a\nb"]', 1, "is not JSON: Unexpected end of string"],
    ['["\\x"]', 1, "is not JSON: Invalid escape character"],
    ["[01]", 1, "is not JSON: Comma expected"],
    ["[NaN]", 1, "is not JSON: Invalid symbol"],
    ["\ufeff{}", 1, "is not JSON: Invalid symbol"],
  ])("tells where %j stops to be JSON", (text, line, reason) => {
    expect(parseCheckedJson(text)).toEqual({ value: undefined, faults: [{ path: [], line, reason }] });
  });

  it("agrees with JSON.parse on what is JSON", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      "1",
      "-",
      "0",
      ".5",
      "e1",
      "null",
      "tru",
      "e",
      " ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (tokens) => {
        const text = tokens.join("");
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          expect(parseCheckedJson(text).value).toBeUndefined();
          return;
        }
        expect(parseCheckedJson(text).value).toEqual(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it("reports every key that is there twice in its object", () => {
    const text = '{"a": {"b": 1,\n"b": 2},\n"c": [{"a": 1}, {"a": 1,\n\n"\\u0061": 2}]}';
    expect(parseCheckedJson(text).faults).toEqual([
      { path: ["a", "b"], line: 2, reason: "is there twice" },
      { path: ["c", 1, "a"], line: 5, reason: "is there twice" },
    ]);
  });

  it("S5 reports characters of four bytes and halves of them, raw or escaped, in values and keys", () => {
    const text = '{"a": "😀",\n"b": "\\ud83d\\ude00",\n"c": ["\\ud83d"],\n"😀": "\u{ffff}",\n"z": "\\u0000"}';
    const reason = "holds a character outside U+0000 to U+FFFF, or half of one";
    expect(parseCheckedJson(text).faults).toEqual([
      { path: ["a"], line: 1, reason },
      { path: ["b"], line: 2, reason },
      { path: ["c", 0], line: 3, reason },
      { path: ["😀"], line: 4, reason },
      { path: ["z"], line: 5, reason: "holds the character U+0000" },
    ]);
  });

  it("reports what is nested too deeply, whatever the depth", () => {
    for (const text of ["[".repeat(1_000_000), '{"a":'.repeat(1_000_000)]) {
      expect(parseCheckedJson(text)).toEqual({
        value: undefined,
        faults: [{ path: [], line: 1, reason: "is nested too deeply" }],
      });
    }
  });

  it("keeps every key, whatever keys were read before", () => {
    const earlier = parseCheckedJson(String.raw`{"read": 1, "b\\": 1}`);
    expect(parseCheckedJson(String.raw`{"read": 2, "b\n": 2}`).value).toEqual({ read: 2, "b\n": 2 });
    expect(earlier.value).toEqual({ read: 1, "b\\": 1 });
  });

  it("keeps a key that would be a prototype as a key", () => {
    const { value } = parseCheckedJson('{"__proto__": {"a": 1}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as Record<string, unknown>)["a"]).toBeUndefined();
  });
});

describe("findLines", () => {
  const text = `{
    "a": 1,
    "b": [
      10, 20,
      { "c":
        "deep", "d": [ [ ], [
          1, 2 ] ] }
    ],
    "a/b": { "length": 1,
      "0": true }
  }`;

  it.each([
    [[], 1],
    [["a"], 2],
    [["b"], 3],
    [["b", 0], 4],
    [["b", 1], 4],
    [["b", 2], 5],
    [["b", 2, "c"], 5],
    [["b", 2, "d", 1], 6],
    [["b", 2, "d", 1, 1], 7],
    [["a/b", "length"], 9],
    [["a/b", "0"], 10],
  ])("finds the line of %j", (path, line) => {
    expect(findLines(text, [path])).toEqual([line]);
  });

  it.each([
    [["x"], 1],
    [["b", 2, "x", "y"], 5],
    [["b", 7], 3],
    [["a", "x"], 2],
    [["a/b", 0], 9],
  ])("finds the line of what should hold %j", (path, line) => {
    expect(findLines(text, [path])).toEqual([line]);
  });

  it("finds many at once", () => {
    expect(findLines(text, [["b", 2, "d", 1, 0], ["a"], ["b"], ["a"], []])).toEqual([7, 2, 3, 2, 1]);
  });

  it("finds the line of every value", () => {
    const entries = Array.from({ length: 500 }, (_, i) => ({ [`k${i}`]: [i] }));
    const lines = findLines(
      JSON.stringify(entries, null, 1),
      entries.map((_, i) => [i, `k${i}`, 0]),
    );
    expect(lines).toEqual(entries.map((_, i) => 4 + i * 5));
  });
});
