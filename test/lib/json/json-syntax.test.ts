import fc from "fast-check";
import { findJsonSyntaxFault, formatJsonSyntaxFault } from "../../../lib/json/json-syntax.js";

const NAME = "a name in double quotes";

function find(text: string) {
  return findJsonSyntaxFault(Buffer.from(text));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonSyntaxFault", () => {
  it.each<[string, number, string]>([
    ["", 0, "a value"],
    ["  ", 2, "a value"],
    ["tru", 0, "a value"],
    ["nulll", 4, "the end"],
    ["{} {}", 3, "the end"],
    ["[1] ]", 4, "the end"],
    ["[", 1, 'a value or "]"'],
    ["[,1]", 1, 'a value or "]"'],
    ["[1,]", 3, "a value"],
    ["[1 2]", 3, '"," or "]"'],
    ["[1}", 2, '"," or "]"'],
    ["{", 1, `${NAME} or "}"`],
    ["{a:1}", 1, `${NAME} or "}"`],
    ["{'a':1}", 1, `${NAME} or "}"`],
    ['{"a":1,}', 7, NAME],
    ['{"a" 1}', 5, '":"'],
    ['{"a"}', 4, '":"'],
    ['{"a":}', 5, "a value"],
    ['{"a":1 "b":2}', 7, '"," or "}"'],
    ['{"a":[{"b":1]}', 12, '"," or "}"'],
    ["01", 1, "the end"],
    ["1.", 1, "the end"],
    ["+1", 0, "a value"],
    ["-", 0, "a value"],
    ["NaN", 0, "a value"],
    ['"a', 2, "a closing quote"],
    ['["a\nb"]', 3, "control characters as escapes"],
    [String.raw`["a\x"]`, 3, String.raw`an escape such as "\n" or "\u00e9"`],
    [String.raw`["a\u12g4"]`, 3, String.raw`an escape such as "\n" or "\u00e9"`],
    ['["é" 1]', 6, '"," or "]"'],
    ["[1,\u00a02]", 3, "a value"],
  ])("finds in %j at byte %d that it expected %s", (text, offset, expected) => {
    expect(find(text)).toEqual({ offset, expected });
    expect(isJson(text)).toBe(false);
  });

  it.each(['{"a":[1,-0.5e+10,true,false,null,"",[],{}]}', " [ ] ", '"\\u00e9\\"\\\\/\\b"', "0", '{"":{"":""}}'])(
    "finds nothing in %s",
    (text) => {
      expect(find(text)).toBeUndefined();
    },
  );

  it("finds something exactly where JSON.parse does", () => {
    const part = fc.constantFrom(
      ...Array.from('[]{},:"\\ \n\t01.-+eEu'),
      "true",
      "null",
      '"a"',
      '"a":',
      "\\u00e9",
      "é",
      "\u0001",
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
        (text) => {
          expect(find(text) === undefined).toBe(isJson(text));
        },
      ),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(fc.json(), fc.nat(), part, (json, place, change) => {
        const offset = place % (json.length + 1);
        const text = json.slice(0, offset) + change + json.slice(offset + 1);
        expect(find(text) === undefined).toBe(isJson(text));
        expect(find(json)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it("overflows nothing, and reads two million characters before the time of a test is up", () => {
    const size = 2_000_000;
    expect(find("[".repeat(size))).toMatchObject({ offset: size });
    expect(find(`["${"a".repeat(size)}`)).toMatchObject({ offset: size + 2 });
    expect(find(`["${"\\n".repeat(size)}`)).toMatchObject({ offset: 2 * size + 2 });
    expect(find(`${" ".repeat(size)}${"1".repeat(size)}x`)).toMatchObject({ offset: 2 * size });
  });
});

describe("formatJsonSyntaxFault", () => {
  it.each([
    ["", "The body: found the end at byte 0 (line 1), expected a value."],
    ["[1,\n\n漢]", 'The body: found "漢" at byte 5 (line 3), expected a value.'],
    ['["\u0001"]', String.raw`The body: found "\u0001" at byte 2 (line 1), expected control characters as escapes.`],
    [`[${"secret".repeat(20)}]`, 'The body: found "s" at byte 1 (line 1), expected a value or "]".'],
  ])("says of %j: %s", (text, sentence) => {
    const bytes = Buffer.from(text);
    const fault = findJsonSyntaxFault(bytes);
    expect(fault && formatJsonSyntaxFault(bytes, fault)).toBe(sentence);
  });
});
