import fc from "fast-check";
import { formatMediaType, isUtf8, parseMediaType } from "../../../lib/http/media-type.js";

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/);
const text = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => (code === 0x7f ? "\t" : String.fromCharCode(code))),
  maxLength: 12,
});
const mediaType = fc.record({
  type: fc.tuple(token, token).map(([type, subtype]) => `${type}/${subtype}`.toLowerCase()),
  parameters: fc.dictionary(
    token.map((name) => name.toLowerCase()),
    text,
    { maxKeys: 4 },
  ),
});

describe("parseMediaType", () => {
  it.each<[string, string, Record<string, string>]>([
    // RFC 9110 section 8.3.1: four ways to write the same
    ["text/html;charset=utf-8", "text/html", { charset: "utf-8" }],
    ['Text/HTML;Charset="utf-8"', "text/html", { charset: "utf-8" }],
    ['text/html; charset="utf-8"', "text/html", { charset: "utf-8" }],
    ["text/html;charset=UTF-8", "text/html", { charset: "UTF-8" }],
    ["application/json", "application/json", {}],
    ["  application/json\t", "application/json", {}],
    ["APPLICATION/JSON", "application/json", {}],
    ["application/vnd.api+json", "application/vnd.api+json", {}],
    ["application/json;", "application/json", {}],
    ["application/json;; ;charset=utf-8 ; ", "application/json", { charset: "utf-8" }],
    ["application/json \t; \ta=1 \t; b=2", "application/json", { a: "1", b: "2" }],
    ['a/b;x=""', "a/b", { x: "" }],
    ['a/b;x="; y=z"', "a/b", { x: "; y=z" }],
    [String.raw`a/b;x="say \"hi\\\""`, "a/b", { x: String.raw`say "hi\"` }],
    ['a/b;x="caf\xe9"', "a/b", { x: "caf\xe9" }],
    ['a/b;x="a, text/plain"', "a/b", { x: "a, text/plain" }],
    ["application/json; x=a,b", "application/json", { x: "a,b" }],
    ["a/b;__proto__=x", "a/b", { ["__proto__"]: "x" }],
    ["*/*;q=0.5", "*/*", { q: "0.5" }],
  ])("reads %s", (value, type, parameters) => {
    const parsed = parseMediaType(value);
    expect(parsed?.type).toBe(type);
    expect([...(parsed?.parameters ?? [])]).toEqual(Object.entries(parameters));
  });

  it.each([
    ["", "nothing"],
    [" ", "white space"],
    ["application", "no subtype"],
    ["application/", "an empty subtype"],
    ["/json", "an empty type"],
    ["application /json", "white space before the slash"],
    ["application/json/x", "a second slash"],
    ["application/json, text/plain", "two types"],
    ["application/json,text/plain", "two types without white space"],
    ["application/json; x=a, text/plain", "two types, the first with a parameter"],
    ["application/json; x=a,text/plain", "two types, the first with a parameter, without white space"],
    ["application/json, application/json", "one type twice"],
    ["application/json charset=utf-8", "no semicolon"],
    ["application/json; charset", "a parameter without a value"],
    ["application/json; charset=", "an empty value without quotes"],
    ["application/json; =utf-8", "a parameter without a name"],
    ["application/json; charset = utf-8", "white space around ="],
    ["application/json; charset= utf-8", "white space after ="],
    ["application/json; charset=utf-8 x", "something after the value"],
    ['application/json; charset="utf-8', "an unclosed quote"],
    ['application/json; charset="utf-8\\"', "an escaped closing quote"],
    ['application/json; charset="utf-8"x', "something after the quoted value"],
    ['application/json; charset="a\u0000b"', "a control character"],
    ["application/json; charset=utf-8; Charset=utf-16", "a parameter twice"],
    ["application/json; charset=utf-8; charset=utf-8", "a parameter twice with the same value"],
    ["application/j\u00e9son", "a character that no token has"],
    ["application/json; x=\u{1f600}", "a character that no header has"],
  ])("refuses %j: %s", (value) => {
    expect(parseMediaType(value)).toBeUndefined();
  });

  it("reads whatever formatMediaType writes", () => {
    fc.assert(
      fc.property(mediaType, ({ type, parameters }) => {
        const value = { type, parameters: new Map(Object.entries(parameters)) };
        expect(parseMediaType(formatMediaType(value))).toEqual(value);
      }),
    );
  });

  it("never throws, and what it reads can be written and read again", () => {
    const piece = fc.constantFrom(
      "a",
      "/",
      "/json",
      ";",
      "=",
      '"',
      "\\",
      ",",
      " ",
      "\t",
      "*",
      "charset",
      "é",
      "\u0000",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join("")),
        ),
        (value) => {
          const parsed = parseMediaType(value);
          if (parsed) expect(parseMediaType(formatMediaType(parsed))).toEqual(parsed);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["quotes that never close", `a/b${';x="'.repeat(20_000)}`],
    ["one long unclosed quote", `a/b;x="${" ".repeat(100_000)}`],
    ["escapes up to the end", `a/b;x="${"\\".repeat(99_999)}`],
    ["a long name without a value", `a/b;${"x".repeat(100_000)}`],
    ["white space", " ".repeat(100_000)],
    ["white space after the type", `a/b${" ".repeat(100_000)}x`],
    ["white space after a semicolon", `a/b;${" ".repeat(100_000)}=`],
    ["a type without a slash", "x".repeat(100_000)],
  ])("gets to the end of 100 KB of %s", (_hostile, value) => {
    expect(parseMediaType(value)).toBeUndefined();
  });

  it("reads 20,000 semicolons and 10,000 parameters", () => {
    expect(parseMediaType(`a/b${";".repeat(20_000)}`)?.parameters.size).toBe(0);
    const parameters = Array.from({ length: 10_000 }, (_, index) => `;p${index}=1`).join("");
    expect(parseMediaType(`a/b${parameters}`)?.parameters.size).toBe(10_000);
  });
});

describe("formatMediaType", () => {
  it("writes a token as it is, and anything else in quotes", () => {
    const parameters = new Map([
      ["charset", "utf-8"],
      ["title", String.raw`a "b" \c`],
      ["empty", ""],
      ["list", "a,b"],
    ]);
    expect(formatMediaType({ type: "text/plain", parameters })).toBe(
      String.raw`text/plain; charset=utf-8; title="a \"b\" \\c"; empty=""; list="a,b"`,
    );
  });

  it.each([
    ["a type without a subtype", "text", "x", "y"],
    ["two types", "text/a, text/b", "x", "y"],
    ["a name with white space", "text/a", "x y", "z"],
    ["a value with a line break", "text/a", "x", "y\r\nSet-Cookie: a=b"],
    ["a value outside of Latin-1", "text/a", "x", "\u20ac"],
  ])("throws a TypeError at %s", (_case, type, name, value) => {
    expect(() => formatMediaType({ type, parameters: new Map([[name, value]]) })).toThrow(TypeError);
  });
});

describe("isUtf8", () => {
  it.each([
    ["application/json", true],
    ["application/json;charset=utf-8", true],
    ['application/json;CHARSET="Utf-8"', true],
    ["application/json;charset=utf8", false],
    ["application/json;charset=utf-16", false],
    ["application/json;charset=utf-8,utf-7", false],
    ['application/json;charset=""', false],
  ])("%s: %p", (value, expected) => {
    expect(isUtf8(parseMediaType(value)!)).toBe(expected);
  });
});
