import { findScopeFault, parseScopes, scopesOption } from "../../../lib/auth/scopes.js";

describe("parseScopes", () => {
  it.each([
    ["a b", ["a", "b"]],
    [" a  b ", ["a", "b"]],
    ["", []],
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [[], []],
  ])("reads %j", (claim, expected) => {
    expect(parseScopes(claim)).toEqual(expected);
  });

  it.each([[undefined], [null], [7], [true], [{}], [{ 0: "a", length: 1 }], [["a", 7]], [[["a"]]]])(
    "grants nothing for %j",
    (claim) => {
      expect(parseScopes(claim)).toEqual([]);
    },
  );
});

describe("findScopeFault", () => {
  const challenge = {
    scheme: "Bearer",
    realm: "api",
    scopes: ["users.read", "users.manage"],
    metadataUrlOf: () => undefined,
  };

  it("finds none when every scope is granted, in any order, among others", () => {
    expect(findScopeFault(["x", "users.manage", "users.read"], challenge, {})).toBeUndefined();
    expect(findScopeFault([], { ...challenge, scopes: [] }, {})).toBeUndefined();
  });

  it("A2 names what is missing, and in the challenge what is needed", () => {
    expect(findScopeFault(["users.read"], challenge, {})).toEqual({
      type: "scope.insufficient",
      causes: ["The credentials lack the scope users.manage."],
      headers: {
        "WWW-Authenticate": 'Bearer realm="api", error="insufficient_scope", scope="users.read users.manage"',
      },
    });
  });

  it.each([["USERS.READ users.manage"], ["users.readx"], ["users"], ["users.*"], ["*"]])(
    "takes %j for no scope of the operation",
    (granted) => {
      expect(findScopeFault([granted], challenge, {})?.causes).toHaveLength(2);
    },
  );
});

describe("scopesOption", () => {
  it("copies the scopes, none when absent", () => {
    const scopes = ["a", "https://example.com/a!#[]"];
    expect(scopesOption("f", "scopes", scopes)).toEqual(scopes);
    expect(scopesOption("f", "scopes", scopes)).not.toBe(scopes);
    expect(scopesOption("f", "scopes", undefined)).toEqual([]);
  });

  it.each([["a"], [["a b"]], [[""]], [['a"']], [["a\\"]], [["é"]], [["a\n"]], [[7]], [null]])("refuses %j", (value) => {
    expect(() => scopesOption("f", "scopes", value)).toThrow(/^f: option `scopes` must be an array of/);
  });
});
