import fc from "fast-check";
import { formatChallenge, isRealm, isScheme, parseCredentials } from "../../../lib/auth/credentials.js";

describe("parseCredentials", () => {
  it.each([
    ["Bearer abc", { scheme: "bearer", token: "abc" }],
    ["bEARER abc", { scheme: "bearer", token: "abc" }],
    ["Bearer    abc", { scheme: "bearer", token: "abc" }],
    ["Bearer aZ09-._~+/==", { scheme: "bearer", token: "aZ09-._~+/==" }],
    ["SVC 00", { scheme: "svc", token: "00" }],
    ["!#$%&'*+.^_`|~-9 x", { scheme: "!#$%&'*+.^_`|~-9", token: "x" }],
  ])("reads %j", (value, expected) => {
    expect(parseCredentials(value)).toEqual(expected);
  });

  it.each([
    "Bearer",
    "Bearer ",
    "Bearer =",
    "Bearer a=b",
    "Bearer a b",
    "Bearer a ",
    "Bearer \ta",
    "Bearer a,b",
    'Bearer realm="x"',
    "Bearer a\n",
    "Bearer é",
    "Bearer a, Bearer b",
  ])("finds a scheme without a token68 in %j", (value) => {
    expect(parseCredentials(value)).toEqual({ scheme: "bearer", token: undefined });
  });

  it.each(["", " ", " Bearer a", "Bearer\ta", "Be,arer a", "Bearer: a", "é a", "eyJ/x.y a"])(
    "finds no scheme in %j",
    (value) => {
      expect(parseCredentials(value)).toBeUndefined();
    },
  );

  it("reads back whatever the grammar allows", () => {
    const scheme = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/);
    const token = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,40}={0,3}$/);
    fc.assert(
      fc.property(scheme, fc.integer({ min: 1, max: 9 }), token, (name, spaces, text) => {
        expect(parseCredentials(`${name}${" ".repeat(spaces)}${text}`)).toEqual({
          scheme: name.toLowerCase(),
          token: text,
        });
      }),
    );
  });

  it("never throws, and returns only what stands in the value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (value) => {
        const { scheme = "", token = "" } = parseCredentials(value) ?? {};
        expect(value.toLowerCase().startsWith(scheme)).toBe(true);
        expect(value.endsWith(token)).toBe(true);
      }),
    );
  });
});

describe("formatChallenge", () => {
  it.each([
    [{ realm: "api" }, 'Bearer realm="api"'],
    [{ realm: "api", scopes: [] }, 'Bearer realm="api"'],
    [{ realm: "api", error: "invalid_token" as const }, 'Bearer realm="api", error="invalid_token"'],
    [
      { realm: "api", error: "insufficient_scope" as const, scopes: ["a", "b"] },
      'Bearer realm="api", error="insufficient_scope", scope="a b"',
    ],
    [{ realm: 'a "b" \\c' }, 'Bearer realm="a \\"b\\" \\\\c"'],
  ])("formats %j", (parameters, expected) => {
    expect(formatChallenge("Bearer", parameters)).toBe(expected);
  });
});

describe("isScheme", () => {
  it.each(["Bearer", "SVC", "x-1"])("takes %s", (value) => {
    expect(isScheme(value)).toBe(true);
  });
  it.each(["", "a b", "a:", "é"])("refuses %j", (value) => {
    expect(isScheme(value)).toBe(false);
  });
});

describe("isRealm", () => {
  it.each(["api", 'with "quotes"', " "])("takes %j", (value) => {
    expect(isRealm(value)).toBe(true);
  });
  it.each(["", "a\r\nb", "é", "a\n"])("refuses %j", (value) => {
    expect(isRealm(value)).toBe(false);
  });
});
