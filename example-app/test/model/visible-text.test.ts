import { NAME_SHAPE } from "../../src/model/shapes.js";
import { findHiddenMembers } from "../../src/model/user-shapes.js";
import { escapeHidden, escapeLines, findHiddenFault } from "../../src/model/visible-text.js";

const NAMED = /[\p{Bidi_Control}\u200b-\u200f\u2060\ufeff]/u;

const faultAt = (hex: string, index: number) => `must not have the invisible character U+${hex} (at index ${index})`;

test("every character that nobody sees is refused, with its index and code point, and no other", () => {
  const codes = Array.from({ length: 0x1_0000 }, (_, code) => code);
  const wrong = codes.filter((code) => {
    const character = String.fromCharCode(code);
    const hex = code.toString(16).toUpperCase().padStart(4, "0");
    const [found, index] = NAMED.test(character) ? [hex, 2] : ["202E", 4];
    return findHiddenFault(`ab${character}c\u202e`) !== faultAt(found, index);
  });
  expect(wrong).toEqual([]);
  expect(findHiddenFault("Zoë 东京 😀 می")).toBeUndefined();
  expect(NAME_SHAPE.safeParse("a\u200bb").error?.issues).toMatchObject([{ message: faultAt("200B", 1) }]);
});

test("members of a profile are told of one by one, except those that were so before", () => {
  const profile = { login: "a\u2060", email: "e\u200d@x", firstName: "F", lastName: "\u061cL" };
  expect(findHiddenMembers(profile)).toEqual([
    ["login", faultAt("2060", 1)],
    ["email", faultAt("200D", 1)],
    ["lastName", faultAt("061C", 0)],
  ]);
  expect(findHiddenMembers(profile, { ...profile, login: "a", firstName: "\ufeff" })).toEqual([
    ["login", faultAt("2060", 1)],
  ]);
});

test("what people are shown has the code of such a character, and of those that rule a terminal", () => {
  expect(escapeHidden("a\u202eb\u001b[31m\u0085\u2028\n")).toBe("a\\u202eb\\u001b[31m\\u0085\\u2028\\u000a");
  expect(escapeLines("a\u200b\nb\r\n")).toBe("a\\u200b\nb\\u000d\n");
  expect(escapeHidden(escapeHidden("Zoë \u202e"))).toBe("Zoë \\u202e");
});
