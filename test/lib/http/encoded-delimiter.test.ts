import fc from "fast-check";
import { findEncodedDelimiter } from "../../../lib/http/encoded-delimiter.js";

describe("findEncodedDelimiter", () => {
  it.each([
    ["/users%3Flimit=1", "%3F", "?"],
    ["/users%3flimit=1", "%3f", "?"],
    ["/users%23top", "%23", "#"],
    ["/api%2Fv1/users", "%2F", "/"],
    ["/api%2fv1/users", "%2f", "/"],
    ["/users&a%26b", "%26", "&"],
    ["/users/limit%3D1", "%3D", "="],
    ["/https%3A//example.com", "%3A", ":"],
    ["/users%3Flimit%3D1?after=%3F", "%3F", "?"],
    ["/api%2Fv1%3Flimit=1", "%2F", "/"],
    ["http://example.com/users%3F", "%3F", "?"],
    ["/%zz%3F", "%3F", "?"],
  ])("Q2 finds the first in the path of %s", (target, encoded, delimiter) => {
    expect(findEncodedDelimiter(target)).toEqual({ encoded, delimiter });
  });

  it.each([
    "/users?filter=a%20eq%20%22b%22%26%3F",
    "/users/joe%40example.com",
    "/a%20b%22%2B%2E%41",
    "/%253F",
    "/%3",
    "/%",
    "/",
    "*",
    "",
    "?%3F",
  ])("finds none in %s", (target) => {
    expect(findEncodedDelimiter(target)).toBeUndefined();
  });

  it("finds what encodeURIComponent makes of a delimiter, wherever the path has it", () => {
    const plain = fc.stringMatching(/^[a-z0-9/]{0,20}$/);
    fc.assert(
      fc.property(plain, fc.constantFrom("?", "#", "/", "&", "=", ":"), plain, (before, delimiter, after) => {
        const encoded = encodeURIComponent(delimiter);
        expect(findEncodedDelimiter(`/${before}${encoded}${after}`)).toEqual({ encoded, delimiter });
        expect(findEncodedDelimiter(`/${before}?${encoded}${after}`)).toBeUndefined();
      }),
    );
  });
});
