import {
  findBodyExcess,
  findBodyTextFault,
  findCharsetFault,
  findInParameters,
  findJsonBodyTextFault,
  findParsedTextFault,
  maxDepthOption,
  typeOfTextFault,
} from "../../../lib/faults/body-text.js";

const FORM = "application/x-www-form-urlencoded";

describe("findCharsetFault", () => {
  it.each([
    ["", undefined],
    ["application/json", undefined],
    ["application/json; charset=UTF-8", undefined],
    ["application/json; charset=utf8", undefined],
    ["application/json; charset=utf-16", "utf-8"],
    ["no type", undefined],
  ])("S3 takes %j decoded as utf-8", (contentType, encoding) => {
    expect(findCharsetFault(contentType, encoding)).toBeUndefined();
  });

  it.each([
    ["application/json; charset=utf-16", undefined],
    ["application/json; charset=utf-8", "utf-16"],
  ])("S3 refuses %j decoded as %s, the parser before the field", (contentType, encoding) => {
    const causes = ['The body is in the charset "utf-16"; accepted is "utf-8".'];
    expect(findCharsetFault(contentType, encoding)).toEqual(["E0000021", { type: "charset.unsupported", causes }]);
  });
});

describe("findBodyTextFault", () => {
  it.each([
    [String.raw`["\ud83d"]`, "", "json", "E0000001"],
    [String.raw`["\ud83d"]`, FORM, undefined, "E0000001"],
    [String.raw`["\ud83d"]`, "", "text", undefined],
    ["a=%F0%9F%98%80", FORM, undefined, "E0000001"],
    ["a=%F0%9F%98%80", "", "form", "E0000001"],
    ["a=%F0%9F%98%80", FORM, "json", undefined],
    ["a=%zz", FORM, undefined, "E0000003"],
    ["\u{1f600}", "", "text", "E0000001"],
    ["\ufeff", "", "text", "E0000003"],
    ["é漢", FORM, undefined, undefined],
  ] as const)("S5 of %j of the type %j, read as %s, is %s", (text, contentType, format, code) => {
    expect(findBodyTextFault(Buffer.from(text), contentType, { format, maxBytes: 3 })?.[0]).toBe(code);
  });

  it.each([
    [String.raw`["\ud83d\ude00"]`, "", "json", undefined],
    [String.raw`["\ud83d"]`, "", "json", "E0000001"],
    ["a=%F0%9F%98%80", FORM, undefined, undefined],
    ["a=%ED%A0%BD", FORM, undefined, "E0000003"],
    ["\u{1f600}", "", "text", undefined],
    ["\ufeff", "", "text", "E0000003"],
  ] as const)("S5 of %j of the type %j, read as %s with four bytes a character, is %s", (text, type, format, code) => {
    expect(findBodyTextFault(Buffer.from(text), type, { format, maxBytes: 4 })?.[0]).toBe(code);
  });
});

describe("findJsonBodyTextFault", () => {
  it("S5 names the place as a pointer, and the whole body without one", () => {
    const four = "takes four bytes in UTF-8; characters of up to three are supported.";
    expect(findJsonBodyTextFault(Buffer.from('{"a":["😀"]}'), 3)).toEqual([
      "E0000001",
      { type: "text.unsupported", detail: "/a/0", causes: [`/a/0: U+1F600 at byte 7 ${four}`] },
    ]);
    expect(findJsonBodyTextFault(Buffer.from('"😀"'), 3)?.[1]).toMatchObject({ detail: "The body" });
    expect(findJsonBodyTextFault(Buffer.from('"é"'), 3)).toBeUndefined();
    expect(findJsonBodyTextFault(Buffer.from('"😀"'), 4)).toBeUndefined();
  });

  it("S5 writes the place with the characters that the response may have", () => {
    const body = Buffer.from(String.raw`{"😀":"\ud83d"}`);
    expect(findJsonBodyTextFault(body, 3)?.[1].detail).toBe("/U+1F600");
    expect(findJsonBodyTextFault(body, 4)?.[1].detail).toBe("/😀");
  });
});

describe("findParsedTextFault", () => {
  it("S5 names the place, and what is refused there", () => {
    expect(findParsedTextFault({ a: ["x", "😀"] }, "patch", 3)).toEqual([
      "E0000001",
      {
        type: "text.unsupported",
        detail: "/a/1",
        causes: [
          "/a/1: a character takes four bytes in UTF-8, or is half of a surrogate pair; characters of up to three are supported.",
        ],
      },
    ]);
    expect(findParsedTextFault("\ud83d", "patch", 4)).toEqual([
      "E0000001",
      {
        type: "text.unsupported",
        detail: "The patch",
        causes: ["The patch: there is half of a surrogate pair, which is no character."],
      },
    ]);
    expect(findParsedTextFault("😀", "patch", 4)).toBeUndefined();
  });
});

describe("findBodyExcess", () => {
  it.each([
    ["[]", undefined],
    ["[[]]", undefined],
    ["[[[]]]", "The body: the bracket at byte 2 opens level 3; 2 are supported."],
    ["[1,2,3]", undefined],
    ["[1,2,3,4]", "The body has more than 3 members and elements; the next one is at byte 7."],
  ])("of %s with two levels and three elements is %s", (text, cause) => {
    expect(findBodyExcess(Buffer.from(text), { depth: 2, members: 3 })?.[1].causes?.[0]).toBe(cause);
  });
});

describe("findInParameters", () => {
  it("S5 names the parameter, decoded where that can be read", () => {
    expect(findInParameters("a=1&%C3%A9=%ff", "Field", 3)).toEqual([
      'Field "é"',
      expect.objectContaining({ offset: 11 }),
    ]);
    expect(findInParameters("%ff=1", "Field", 3)?.[0]).toBe('Field "%ff"');
    expect(findInParameters("a=1", "Field", 3)).toBeUndefined();
  });
});

describe("typeOfTextFault", () => {
  it.each([
    ["fourByte", "text.unsupported"],
    ["surrogate", "text.unsupported"],
    ["illFormed", "text.malformed"],
    ["byteOrderMark", "text.malformed"],
    ["percent", "text.malformed"],
  ] as const)("of %s is %s", (reason, type) => {
    expect(typeOfTextFault({ reason, offset: 0, found: "" })).toBe(type);
  });
});

describe("maxDepthOption", () => {
  it("is 1,000, or an integer from 1 to 2,000", () => {
    expect([undefined, 1, 2_000].map((value) => maxDepthOption("f", value))).toEqual([1_000, 1, 2_000]);
    for (const value of [0, 2_001, 1.5, "1"]) {
      expect(() => maxDepthOption("f", value)).toThrow("f: option `maxDepth` must be an integer from 1 to 2000");
    }
  });
});
