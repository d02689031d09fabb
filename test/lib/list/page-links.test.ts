import { formatPageLinks, isTidyTarget } from "../../../lib/list/page-links.js";
import { targetPath } from "../../../lib/http/target-path.js";
import type { PageQuery } from "../../../lib/list/page-query.js";

const URL_TEXT = "https://acme.example.com/users";

function query(text: Partial<PageQuery>): PageQuery {
  return { limit: 2, cursor: undefined, self: "", start: "", others: "", selection: "", ...text };
}

describe("formatPageLinks", () => {
  const encode = ({ keys }: { keys: readonly unknown[] }): string => keys.join("-");

  it("P2 writes a line per relation, self first", () => {
    const links = formatPageLinks(
      URL_TEXT,
      query({ self: "q=a&after=x", start: "q=a&since=b", others: "q=a" }),
      { next: ["n", 1], previous: ["p", 2] },
      encode,
    );
    expect(links).toEqual([
      `<${URL_TEXT}?q=a&after=x>; rel="self"`,
      `<${URL_TEXT}?q=a&after=n-1>; rel="next"`,
      `<${URL_TEXT}?q=a&before=p-2>; rel="prev"`,
    ]);
  });

  it("P3 writes self alone where there is nothing else", () => {
    expect(formatPageLinks(URL_TEXT, query({}), { next: undefined, previous: undefined }, encode)).toEqual([
      `<${URL_TEXT}>; rel="self"`,
    ]);
  });

  it("P2 writes no `&` before a lone cursor, and no cursor for the start of the list", () => {
    const places = { next: ["n"], previous: ["p"] };
    expect(formatPageLinks(URL_TEXT, query({}), places, encode).slice(1)).toEqual([
      `<${URL_TEXT}?after=n>; rel="next"`,
      `<${URL_TEXT}?before=p>; rel="prev"`,
    ]);
    const start = query({ start: "since=b" });
    expect(formatPageLinks(URL_TEXT, start, { next: null, previous: undefined }, encode)[1]).toBe(
      `<${URL_TEXT}?since=b>; rel="next"`,
    );
  });
});

describe("pathOf", () => {
  it.each([
    ["/users?a=b", "/users"],
    ["/users", "/users"],
    ["/users?a?b", "/users"],
    ["//evil.example/x", "//evil.example/x"],
    ["http://evil.example/users?a", "/users"],
    ["HTTP://user@evil.example:1?a", ""],
    ['/a"<b>#\\', "/a%22%3Cb%3E%23%5C"],
    ["/é", "/%C3%A9"],
    ["/%zz%41", "/%25zz%41"],
  ])("S2 is, of %s, %s", (target, path) => {
    expect(targetPath(target)).toBe(path);
  });
});

describe("isTidyTarget", () => {
  it.each(["/", "/users", "/users?a=b&c=%20d", "/users?a", "/a//b?c=d?e=[1]"])("P2 is true of %s", (target) => {
    expect(isTidyTarget(target)).toBe(true);
  });

  it.each([
    "",
    "*",
    "http://evil.example/users",
    "/users?",
    "/users?&a",
    "/users?a&",
    "/users?a&&b",
    "/users?a=b#c",
    "/users?a=%zz",
    "/users?a=%2",
    "/users?a=b>",
    '/users?a="',
    "/é",
  ])("P2 is false of %j", (target) => {
    expect(isTidyTarget(target)).toBe(false);
  });
});
