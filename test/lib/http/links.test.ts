import fc from "fast-check";
import {
  compileOperations,
  formatLink,
  formatList,
  formatPath,
  isLinkRelation,
  isLinkTarget,
  withLinks,
} from "../../../lib/http/links.js";

const BASE = "https://acme.example.com/api/v1/users/00u1";

describe("formatLink", () => {
  it("L2 has href, and name, type and other properties where they are given", () => {
    expect(formatLink(BASE)).toEqual({ href: BASE });
    expect(formatLink(BASE, { name: "medium", type: "image/png", hints: { allow: ["GET"] } })).toEqual({
      href: BASE,
      name: "medium",
      type: "image/png",
      hints: { allow: ["GET"] },
    });
    expect(Object.keys(formatLink(BASE, { name: undefined, type: undefined }))).toEqual(["href"]);
  });

  it("L3 leaves out the type that every link has", () => {
    expect(formatLink(BASE, { type: "application/json" })).toEqual({ href: BASE });
    expect(formatLink(`${BASE}/metadata.xml`, { type: "application/xml" }).type).toBe("application/xml");
  });

  it.each(["https://a", "http://a:8080/b?c=d#e", "/api/v1/users", "/", "https://[::1]:8443/x", "https://a?b"])(
    "L2 takes %s as a target",
    (href) => {
      expect(isLinkTarget(href)).toBe(true);
      expect(formatLink(href).href).toBe(href);
    },
  );

  it.each([
    "",
    "users",
    "//evil.example/x",
    "javascript:alert(1)",
    "https://",
    "https:///x",
    "https://a/b c",
    "https://a/\r\nX: y",
    'https://a/"',
    "https://a/<script>",
    "ftp://a/b",
    "/\\evil",
    "https://a/b\n",
  ])("L2 refuses %j as a target", (href) => {
    expect(isLinkTarget(href)).toBe(false);
    expect(() => formatLink(href)).toThrow(
      new TypeError(`${JSON.stringify(href)} is neither an absolute http(s) URL nor an absolute path`),
    );
  });
});

describe("isLinkRelation", () => {
  it.each(["self", "next", "svc:idp", "expirePassword", "https://example.com/rel", "a.b-c"])(
    "L1 takes %s",
    (relation) => {
      expect(isLinkRelation(relation)).toBe(true);
    },
  );

  it.each(["", "1st", "__proto__", "a b", "a:", ":a", 'a"', "self\n", "ü"])("L1 refuses %j", (relation) => {
    expect(isLinkRelation(relation)).toBe(false);
  });
});

describe("formatPath", () => {
  it("encodes each segment, so that an id stays one", () => {
    expect(formatPath("/users", "00u1", "lifecycle", "activate")).toBe("/users/00u1/lifecycle/activate");
    expect(formatPath("/users", "a/b?c#d e@f")).toBe("/users/a%2Fb%3Fc%23d%20e%40f");
  });

  it.each(["", ".", "..", "\ud800"])("refuses %j, which would name another path", (segment) => {
    expect(() => formatPath("/users", segment)).toThrow(TypeError);
  });

  it("L2 gives a target for any id, that ends in that id", () => {
    const ids = fc.string({ unit: "grapheme", minLength: 1 }).filter((id) => !/^\.{1,2}$/.test(id));
    fc.assert(
      fc.property(ids, (id) => {
        const path = formatPath("/users", id);
        expect(isLinkTarget(path)).toBe(true);
        expect(decodeURIComponent(path.slice("/users/".length))).toBe(id);
        expect(path.split("/")).toHaveLength(3);
      }),
    );
  });
});

describe("withLinks", () => {
  const user = Object.freeze({ id: "00u1" });

  it("L1 gives a copy whose _links has a Link object, or several, by relation", () => {
    const logo = [formatLink("/small.png", { name: "small" }), formatLink("/large.png", { name: "large" })];
    const linked = withLinks(user, { self: formatLink(BASE), logo, edit: undefined });
    expect(linked).toEqual({ id: "00u1", _links: { self: { href: BASE }, logo } });
    expect(Object.keys(linked._links)).toEqual(["self", "logo"]);
    expect(user).toEqual({ id: "00u1" });
  });

  it("L5 replaces what was there, so that an object of a collection carries self only", () => {
    const full = withLinks(user, { self: formatLink(BASE), deactivate: formatLink(`${BASE}/lifecycle/deactivate`) });
    expect(withLinks(full, { self: formatLink(BASE) })).toEqual({ id: "00u1", _links: { self: { href: BASE } } });
  });

  it("L1 refuses a key that is no link relation", () => {
    expect(() => withLinks(user, { "a b": formatLink(BASE) })).toThrow(new TypeError('"a b" is not a link relation'));
  });
});

describe("compileOperations", () => {
  const operations = compileOperations({
    activate: { states: ["STAGED", "DEPROVISIONED"] },
    suspend: { states: ["ACTIVE"] },
    expirePassword: { states: ["ACTIVE"], segment: "expire_password" },
    replace: { states: ["STAGED", "ACTIVE"], segment: "replace", method: "put" },
  });
  const states = ["STAGED", "ACTIVE", "DEPROVISIONED"] as const;
  const names = ["activate", "suspend", "expirePassword", "replace"] as const;

  it("L4 publishes the operations of the state", () => {
    expect(operations.format("ACTIVE", `${BASE}/lifecycle`)).toEqual({
      suspend: { href: `${BASE}/lifecycle/suspend`, method: "post" },
      expirePassword: { href: `${BASE}/lifecycle/expire_password`, method: "post" },
      replace: { href: `${BASE}/lifecycle/replace`, method: "put" },
    });
    expect(Object.keys(operations.format("DEPROVISIONED", BASE))).toEqual(["activate"]);
  });

  it.each(states.flatMap((state) => names.map((name) => [name, state] as const)))(
    "L4 allows %s in %s exactly when it publishes it",
    (name, state) => {
      expect(operations.isAllowed(name, state)).toBe(Object.hasOwn(operations.format(state, BASE), name));
    },
  );

  it("L4 allows nothing that the table does not have", () => {
    expect(operations.isAllowed("toString" as "activate", "ACTIVE")).toBe(false);
  });

  it("refuses a relation or a segment that is none", () => {
    expect(() => compileOperations({ "a b": { states: [] } })).toThrow('"a b" is not a link relation');
    expect(() => compileOperations({ a: { states: [], segment: ".." } })).toThrow('".." is not a path segment');
  });
});

describe("formatList", () => {
  const USERS = "https://acme.example.com/api/v1/users";
  const idOf = (row: object): string => ("id" in row && typeof row.id === "string" ? row.id : "none");

  function copied(rows: readonly object[], base = USERS): string {
    return JSON.stringify(rows.map((row) => withLinks(row, { self: formatLink(formatPath(base, idOf(row))) })));
  }

  class Account {
    readonly id = "00u1";
    get login(): string {
      return `${this.id}@example.com`;
    }
  }

  it("L5 gives each object its self and no more", () => {
    expect(JSON.parse(formatList([{ id: "00u1" }, { id: "a/b é", name: "x" }], "/users", idOf))).toEqual([
      { id: "00u1", _links: { self: { href: "/users/00u1" } } },
      { id: "a/b é", name: "x", _links: { self: { href: "/users/a%2Fb%20%C3%A9" } } },
    ]);
  });

  it("is the text that JSON.stringify makes of copies with links", () => {
    const row = fc.oneof(
      fc.object({ withDate: true, withNullPrototype: true, withObjectString: true, withSparseArray: true }),
      fc.jsonValue().filter((value): value is object => typeof value === "object" && value !== null),
      fc.record({ id: fc.uuid(), name: fc.string({ unit: "binary" }), none: fc.constant(undefined) }),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.webUrl(), (rows, base) => {
        expect(formatList(rows, base, () => "00u1")).toBe(
          JSON.stringify(rows.map((object) => withLinks(object, { self: formatLink(`${base}/00u1`) }))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, object[]]>([
    ["nothing", []],
    ["an empty object", [{}, { id: "00u1" }, {}]],
    ["what looks like the end of a row", [{ a: [{}, "end of row"] }, { id: "00u1" }]],
    ["the same, and a row that has no such end", [{ a: [{}, "end of row"] }, ["x"]]],
    ["that end as a text", [{ a: '},"end of row"', b: "end of row" }]],
    ["links of its own", [{ _links: { next: { href: "/x" } }, id: "00u1" }]],
    ["links without a value", [{ _links: undefined, id: "00u1" }]],
    ["a toJSON of its own", [{ id: "00u1", toJSON: () => ({ x: 1 }) }]],
    ["a member that no literal can have", [JSON.parse('{"__proto__":{"toJSON":1},"id":"00u1"}') as object]],
    ["an object of a class", [new Account(), { id: "00u2" }]],
    ["a date", [new Date(0)]],
    ["an object without a prototype", [Object.assign(Object.create(null) as object, { id: "00u1" })]],
    ["members that are left out", [{ a: undefined }, { a: () => 1, b: Symbol("b"), [Symbol("c")]: 1 }]],
  ])("is the same text for %s", (_title, rows) => {
    expect(formatList(rows, USERS, idOf)).toBe(copied(rows));
    expect(formatList(rows, "/é\u0000\ud800", idOf)).toBe(copied(rows, "/é\u0000\ud800"));
  });

  it.each(["users", "//evil.example", "/", 'https://a/"', "https://a/b c"])("L2 refuses the base %j", (base) => {
    expect(() => formatList([], base, idOf)).toThrow(TypeError);
  });

  it.each(["", ".", "..", "\ud800"])("refuses the segment %j", (segment) => {
    expect(() => formatList([{ a: 1 }], USERS, () => segment)).toThrow(
      new TypeError(`${JSON.stringify(segment)} is not a path segment`),
    );
  });
});
