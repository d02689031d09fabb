import fc from "fast-check";
import { findExcess, findJsonTextFault, formatPlace, locatePointer } from "../../../lib/json/json-bytes.js";
import { parsePointer, readPointer } from "../../../lib/json/json-pointer.js";
import { parseJson } from "../../../lib/json/parse-json.js";

const GRIN = "\u{1f600}";
const PAIR = String.raw`\ud83d\ude00`;

/** What the rule says, told from the parsed value, recursively. */
function hasForbiddenText(value: unknown, maxBytes: 3 | 4): boolean {
  if (typeof value === "string")
    return Array.from(value).some((character) =>
      maxBytes === 4 ? /^[\ud800-\udfff]$/.test(character) : /[^\0-\ud7ff\ue000-\uffff]/u.test(character),
    );
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some((entry) => entry.some((part) => hasForbiddenText(part, maxBytes)));
}

/** What the pointer leads to; of a key at fault the value it has. */
function resolve(value: unknown, pointer: string): unknown {
  return readPointer(value, parsePointer(pointer)!);
}

describe("findJsonTextFault", () => {
  it.each([
    ["{}"],
    [""],
    [String.raw`{"a":"\u00e9\n\"\\"}`],
    [String.raw`{"a":"\ud7ff\ue000\uFEFF\uffff"}`],
    [String.raw`{"a":"\ud55c"}`],
    [String.raw`{"a":"\\ud83d\\ude00"}`],
    [String.raw`{"a":"\\\\ud83d"}`],
    [String.raw`{"a":"\\\u00e9\\ud83d"}`],
    ['{"a":"Ω漢"}'],
  ])("S5 finds nothing in %s", (text) => {
    expect(findJsonTextFault(Buffer.from(text))).toBeUndefined();
  });

  it.each([
    [String.raw`{"a":"\ud83d\ude00"}`, 6],
    [String.raw`{"a":"\uD83D\uDE00"}`, 6],
    [String.raw`{"a":"\uD83d\uDe00"}`, 6],
    [String.raw`{"\ud800\udc00":1}`, 2],
    [String.raw`{"a":"\\\ud83d\ude00"}`, 8],
    [String.raw`{"a":"\\ud83d \ud83d\ude00"}`, 14],
    ['{"a":"é\u{1f600}"}', 8],
  ])("S5 finds the character of four bytes in %s", (text, offset) => {
    expect(findJsonTextFault(Buffer.from(text))).toMatchObject({ reason: "fourByte", offset });
    expect(findJsonTextFault(Buffer.from(text), 4)).toBeUndefined();
  });

  it("S5 names the character that the escapes stand for", () => {
    expect(findJsonTextFault(Buffer.from(`"${PAIR}"`))?.found).toBe("U+1F600");
    expect(findJsonTextFault(Buffer.from(String.raw`"\udbff\udfff"`))?.found).toBe("U+10FFFF");
  });

  it.each([
    [String.raw`"\ud83d"`, 1, String.raw`\ud83d`],
    [String.raw`"\uDE00"`, 1, String.raw`\uDE00`],
    [String.raw`"\udfff\ud800"`, 1, String.raw`\udfff`],
    [String.raw`"\ud83d\ud83d\ude00"`, 1, String.raw`\ud83d`],
    [String.raw`"\ud83d\\ude00"`, 1, String.raw`\ud83d`],
    [String.raw`"\ud83d\u0041"`, 1, String.raw`\ud83d`],
    [String.raw`"\\ud83d\ude00"`, 8, String.raw`\ude00`],
    [String.raw`"\ud83d`, 1, String.raw`\ud83d`],
  ])("S5 finds the lone surrogate in %s", (text, offset, found) => {
    expect(findJsonTextFault(Buffer.from(text))).toEqual({ reason: "surrogate", offset, found });
    expect(findJsonTextFault(Buffer.from(text), 4)).toEqual({ reason: "surrogate", offset, found });
  });

  it.each([
    [String.raw`"\ud83d\ude00\ud83d\ude00"`, undefined],
    [String.raw`"\ud83d\ude00\ude00"`, 13],
    [String.raw`"\ud83d\ude00\ud83d"`, 13],
    [String.raw`"\ud83d\ude00\\ud83d"`, undefined],
    [String.raw`["\ud83d","\ude00"]`, 2],
    ['"\u{1f600}\\ude00"', 5],
  ])("S5 tells pairs from halves in %s, with four bytes a character", (text, offset) => {
    expect(findJsonTextFault(Buffer.from(text), 4)?.offset).toBe(offset);
  });

  it.each([3, 4] as const)(
    "S5 agrees with a look at the parsed value, however it is written, %i a character",
    (max) => {
      const unit = fc.constantFrom(
        "a",
        "\\",
        '"',
        "/",
        "u",
        "d",
        "é",
        "\ud7ff",
        "\ue000",
        GRIN,
        "\ud83d",
        "\ude00",
        "ud83d",
      );
      const text = fc.array(unit, { maxLength: 8 }).map((units) => units.join(""));
      const value = fc.oneof(text, fc.array(text), fc.dictionary(text, text));
      const escaped = fc.constantFrom<RegExp | undefined>(undefined, /[\x80-\uffff]/g, /[^\\"]/g);
      fc.assert(
        fc.property(value, escaped, fc.boolean(), (given, what, upperCase) => {
          const escape = (unit: string): string => {
            const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
            return `\\u${upperCase ? digits.toUpperCase() : digits}`;
          };
          const plain = JSON.stringify(given);
          const json =
            what === undefined
              ? plain
              : plain.replace(/"((?:[^"\\]|\\.)*)"/g, (_string, content: string) => {
                  const written = content.replace(/\\u.{4}|\\.|[^\\]/g, (unit) =>
                    unit.length === 1 ? unit.replace(what, escape) : unit,
                  );
                  return `"${written}"`;
                });
          const fault = findJsonTextFault(Buffer.from(json), max);
          expect(fault !== undefined).toBe(hasForbiddenText(parseJson(json), max));
          if (fault) {
            const pointer = locatePointer(Buffer.from(json), fault.offset);
            const at = resolve(parseJson(json), pointer);
            expect(hasForbiddenText(at, max) || hasForbiddenText(pointer, max)).toBe(true);
          }
        }),
        { numRuns: 3000 },
      );
    },
  );

  // from here on escapes are searched natively before the text is looked at
  it.each([2047, 2048, 2049])("S5 finds the same in a text of %i bytes, with and without escapes", (length) => {
    const pad = (text: string): Buffer => Buffer.from(text.padEnd(length));
    expect(findJsonTextFault(pad('"plain"'))).toBeUndefined();
    expect(findJsonTextFault(pad(String.raw`"\n\"\\"`))).toBeUndefined();
    expect(findJsonTextFault(pad(String.raw`"\u00e9 \\ud83d"`))).toBeUndefined();
    expect(findJsonTextFault(pad(`"${PAIR}"`))).toEqual({ reason: "fourByte", offset: 1, found: "U+1F600" });
    const late = Buffer.from(String.raw`"\ud83d`.padStart(length));
    expect(findJsonTextFault(late)).toEqual({ reason: "surrogate", offset: length - 6, found: String.raw`\ud83d` });
  });

  it("looks at a long run of backslashes once", () => {
    const bytes = Buffer.from(`"${String.raw`\\`.repeat(500_000)}ud83d"`);
    expect(findJsonTextFault(bytes)).toBeUndefined();
    const many = Buffer.from(`"${String.raw`\\ud83d`.repeat(50_000)}"`);
    expect(findJsonTextFault(many)).toBeUndefined();
  });
});

describe("locatePointer", () => {
  function pointerOf(text: string): string {
    const bytes = Buffer.from(text);
    return locatePointer(bytes, bytes.indexOf(GRIN));
  }

  it.each([
    [`"${GRIN}"`, ""],
    [`["${GRIN}"]`, "/0"],
    [`["a", "b", "${GRIN}"]`, "/2"],
    [`{"a": "${GRIN}"}`, "/a"],
    [`{"a": 1, "b": [{"c": 1}, {"d": "x${GRIN}"}]}`, "/b/1/d"],
    [`{"a": {"b": 1}, "c": "${GRIN}"}`, "/c"],
    [`{"a": {"b": {}}, "c": [[], [[]], "${GRIN}"]}`, "/c/2"],
    [`{"a/b": {"m~n": "${GRIN}"}}`, "/a~1b/m~0n"],
    [String.raw`{"\u0061\"": "${GRIN}"}`, '/a"'],
    [`{"a,]}": ["{", "]\\"", "${GRIN}"]}`, "/a,]}/2"],
    [`{"": "${GRIN}"}`, "/"],
    [`{"é": "${GRIN}"}`, "/é"],
    [`{"a": 1, "x${GRIN}y": 2}`, `/x${GRIN}y`],
    [`{"__proto__": {"toString": "${GRIN}"}}`, "/__proto__/toString"],
  ])("S5 says where it is in %s", (text, pointer) => {
    expect(pointerOf(text)).toBe(pointer);
  });

  it.each([
    ["outside of strings", `{"a": ${GRIN}}`, "/a"],
    ["before a key", `{"a": 1, ${GRIN}`, ""],
    ["after a bracket too many", `]}, "${GRIN}"`, ""],
    ["in a key that is cut off", `{"a": {"b${GRIN}`, `/a/b${GRIN}`],
    ["under a key with a mistake", `{"\\x": "${GRIN}"}`, String.raw`/\x"`],
    ["after an escape that is cut off", `{"${GRIN}\\`, `/${GRIN}\\`],
  ])("is tolerant of JSON that is malformed: %s", (_what, text, pointer) => {
    expect(pointerOf(text)).toBe(pointer);
  });

  it("S5 finds its way 40,000 levels deep", () => {
    expect(pointerOf(`${"[".repeat(40_000)}"${GRIN}"`)).toBe("/0".repeat(40_000));
  });
});

describe("findExcess", () => {
  const findExcessDepth = (bytes: Buffer, depth: number) => {
    const excess = findExcess(bytes, { depth, members: 1_000_000 });
    expect(excess?.limit ?? "depth").toBe("depth");
    return excess?.offset;
  };
  const findExcessMember = (text: string, members: number) => {
    const excess = findExcess(Buffer.from(text), { depth: 1_000, members });
    expect(excess?.limit ?? "members").toBe("members");
    return excess?.offset;
  };
  const nested = (levels: number, inner = ""): Buffer => Buffer.from("[".repeat(levels) + inner + "]".repeat(levels));

  it.each([1, 2, 64, 1000])("lets n - 1 and n levels pass and finds the bracket of level n + 1, n = %d", (n) => {
    expect(findExcessDepth(nested(n - 1), n)).toBeUndefined();
    expect(findExcessDepth(nested(n), n)).toBeUndefined();
    expect(findExcessDepth(nested(n + 1), n)).toBe(n);
  });

  it("counts objects and arrays alike, and each only while it is open", () => {
    expect(findExcessDepth(Buffer.from('{"a":[{"b":1}]}'), 3)).toBeUndefined();
    expect(findExcessDepth(Buffer.from('{"a":[{"b":1}]}'), 2)).toBe(6);
    expect(findExcessDepth(Buffer.from("[[],[],[[]],{},{}]"), 3)).toBeUndefined();
    expect(findExcessDepth(Buffer.from("[[],[],[[]],{},{}]"), 2)).toBe(8);
  });

  it("is not led astray by brackets in strings", () => {
    expect(findExcessDepth(Buffer.from('["[[[[[[","\\"[[[[","\\\\"]'), 1)).toBeUndefined();
    expect(findExcessDepth(Buffer.from('["]]]]",["]]]]",["\\"]]"]]]'), 2)).toBe(16);
    expect(findExcessDepth(Buffer.from('["\\\\",[["x"]]]'), 2)).toBe(7);
  });

  it("agrees with the depth of the parsed value", () => {
    const depthOf = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }), fc.integer({ min: 1, max: 8 }), (value, max) => {
        const bytes = Buffer.from(JSON.stringify(value));
        expect(findExcessDepth(bytes, max) !== undefined).toBe(depthOf(value) > max);
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, string, number, number]>([
    ["elements", "[1,2,3]", 3, 5],
    ["members", '{"a":1, "b":2}', 2, 8],
    ["names that come twice", '{"a":1,"a":2}', 2, 7],
    ["members and elements together", '{"a":[1,"x"],"b":{"c":[]}}', 5, 18],
    ["containers", "[[],[[ ]],{}\n,{ }]", 5, 14],
    ["elements that are spelled in any way", '[-1.5e3,true,null,"a,b\\",[",""]', 5, 28],
    ["elements after white space", "[\t1 ,\r\n 2 ]", 2, 8],
    ["strings alone", `["${"x".repeat(50)}","\\\\"]`, 2, 54],
  ])("V4 counts %s: %s has %d", (_, text, count, last) => {
    expect(findExcessMember(text, count + 1)).toBeUndefined();
    expect(findExcessMember(text, count)).toBeUndefined();
    expect(findExcessMember(text, count - 1)).toBe(last);
  });

  it.each(["", "[]", "{}", " [ ] ", '"a"', "1"])("V4 counts no member in %j", (text) => {
    expect(findExcessMember(text, 0)).toBeUndefined();
  });

  it("V4 agrees with the members of the parsed value", () => {
    const membersOf = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce<number>((sum, member) => sum + 1 + membersOf(member), 0)
        : 0;
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }),
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(undefined, 1),
        (value, max, space) => {
          const text = JSON.stringify(value, undefined, space);
          expect(findExcessMember(text, max) !== undefined).toBe(membersOf(value) > max);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("reads a text that ends within a string to its end", () => {
    expect(findExcessDepth(Buffer.from('[[[["abc\\'), 3)).toBe(3);
    expect(findExcessDepth(Buffer.from('[[["abcdef\\'), 3)).toBeUndefined();
  });
});

describe("formatPlace", () => {
  it("writes a pointer so that any answer can hold it", () => {
    expect(formatPlace("/profile/firstName")).toBe("/profile/firstName");
    expect(formatPlace(`/a${GRIN}/\ud83d`)).toBe("/aU+1F600/U+D83D");
    expect(formatPlace(`/a${GRIN}/\ud83d`, 4)).toBe(`/a${GRIN}/U+D83D`);
    expect(formatPlace('/a"\n')).toBe(String.raw`/a\"\n`);
    expect(formatPlace("/0".repeat(32))).toBe("/0".repeat(32));
    expect(formatPlace("/0".repeat(33))).toBe(`${"/0".repeat(32)}…`);
  });
});
