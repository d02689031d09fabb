import fc from "fast-check";
import { parseArrayIndex } from "../../../lib/json/array-index.js";
import { formatPointer, parsePointer, readPointer } from "../../../lib/json/json-pointer.js";

/** RFC 6901 section 5. */
const DOCUMENT = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
};

describe("readPointer", () => {
  it.each([
    ["", DOCUMENT],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ["/e^f", 3],
    ["/g|h", 4],
    ["/i\\j", 5],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8],
  ])("reads %j as RFC 6901 section 5 does", (pointer, value) => {
    expect(readPointer(DOCUMENT, parsePointer(pointer)!)).toEqual(value);
  });

  it.each([
    "/foo/2",
    "/foo/-",
    "/foo/00",
    "/foo/length",
    "/toString",
    "/__proto__",
    "/foo/0/0",
    "/none/x",
    "/constructor",
  ])("finds nothing at %s", (pointer) => {
    expect(readPointer(DOCUMENT, parsePointer(pointer)!)).toBeUndefined();
  });
});

describe("parsePointer", () => {
  it.each(["a", "/~", "/~2", "/a~", "a/b", "#/a"])("refuses %j", (text) => {
    expect(parsePointer(text)).toBeUndefined();
  });

  it("unescapes ~01 to ~1", () => {
    expect(parsePointer("/~01")).toEqual(["~1"]);
  });

  it("reads what formatPointer writes", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
      }),
    );
  });

  it("writes numbers as they are", () => {
    expect(formatPointer(["a", 0])).toBe("/a/0");
  });
});

describe("parseArrayIndex", () => {
  it.each([
    ["0", 0],
    ["10", 10],
    ["999999999999999", 999_999_999_999_999],
    ["1000000000000000", -1],
    ["01", -1],
    ["-1", -1],
    ["+1", -1],
    ["1.0", -1],
    ["1e0", -1],
    ["", -1],
    ["-", -1],
    ["١", -1],
  ])("takes %j for %d", (token, index) => {
    expect(parseArrayIndex(token)).toBe(index);
  });
});
