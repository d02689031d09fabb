import fc from "fast-check";
import { groupParameters, parseQuery } from "../../lib/http/query-string.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

/**
 * What reads queries today: `qs`, which is Express's "extended" parser, `node:querystring`, its "simple" one, and
 * URLSearchParams. All three decode forms, so that ours is compared with `plus: "space"`.
 */
type Reader = (query: string) => Record<string, unknown>;

function readByExpress(express: (typeof EXPRESS_VERSIONS)[number][1], parser: "extended" | "simple"): Reader {
  const app = express();
  app.set("query parser", parser);
  const parse = app.get("query parser fn") as Reader;
  return (query) => ({ ...parse(query) });
}

/** A lone value as it is, several as an array: as the others have it. */
function collapse(values: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

function readBySearchParams(query: string): Record<string, unknown> {
  return collapse(groupParameters([...new URLSearchParams(query)]));
}

function readByEtiquette(query: string): Record<string, unknown> | "refused" {
  const { parameters } = parseQuery(query, { plus: "space" });
  return parameters ? collapse(groupParameters(parameters)) : "refused";
}

const PEERS: readonly (readonly [string, Reader])[] = [
  ...EXPRESS_VERSIONS.flatMap(([version, express]) => [
    [`qs, as ${version} has it`, readByExpress(express, "extended")] as const,
    [`node:querystring, as ${version} has it`, readByExpress(express, "simple")] as const,
  ]),
  ["URLSearchParams", readBySearchParams],
];

const QS = PEERS[0]![1];
const SIMPLE = PEERS[1]![1];

/** Names that are no notation of `qs` and no property of every object. */
const name = fc.string({ unit: fc.constantFrom(...Array.from("abcXYZ019-_.~:/é€")), minLength: 1, maxLength: 5 });
const value = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    fc.constantFrom("é", "€", "\ud7ff", "\uffff", "\n", "\0"),
  ),
  maxLength: 8,
});
/** `qs` makes an object of more than 20 values of a name. */
const pairs = fc.array(fc.tuple(name, value), { maxLength: 15 });

describe.each(PEERS)("parseQuery() and %s", (_peer, read) => {
  it("agree on what encodeURIComponent and URLSearchParams write", () => {
    fc.assert(
      fc.property(pairs, (parameters) => {
        const encoded = parameters.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
        expect(readByEtiquette(encoded)).toEqual(read(encoded));
        const form = new URLSearchParams(parameters).toString();
        expect(readByEtiquette(form)).toEqual(read(form));
      }),
    );
  });

  it.each([
    "",
    "a=1",
    "a=1&b=2&a=3",
    "a=",
    "a",
    "&a=1&&b=2&",
    "a=b=c",
    "a=1;b=2",
    "a=b+c",
    "a=%2B%26%3D%25",
    "a=%e2%82%ac",
  ])("agree on %j", (query) => {
    expect(readByEtiquette(query)).toEqual(read(query));
  });
});

describe("parseQuery() differs on purpose", () => {
  it.each<[string, string, Reader, unknown, unknown]>([
    ["RFC 3986 section 2.1: a % begins an octet", "a=%zz", QS, { a: "%zz" }, "refused"],
    ["RFC 3986 section 2.1: a % begins an octet", "a=%zz", readBySearchParams, { a: "%zz" }, "refused"],
    ["RFC 3629 section 3: %ff is no UTF-8", "a=%ff", QS, { a: "%ff" }, "refused"],
    ["RFC 3629 section 3: %ff is no UTF-8", "a=%ff", SIMPLE, { a: "\ufffd" }, "refused"],
    ["RFC 3629 section 3: %ff is no UTF-8", "a=%ff", readBySearchParams, { a: "\ufffd" }, "refused"],
    ['rule Q1: a " is percent-encoded', 'a="', QS, { a: '"' }, "refused"],
    ['rule Q1: a " is percent-encoded', 'a="', readBySearchParams, { a: '"' }, "refused"],
    ["rule S5: characters of three bytes", "a=%F0%9F%98%80", QS, { a: "\u{1f600}" }, "refused"],
    ["a name is text, not a path into an object", "a[b]=1", QS, { a: { b: "1" } }, { "a[b]": "1" }],
    ["a name is text, not a path into an object", "a[]=1", QS, { a: ["1"] }, { "a[]": "1" }],
    ["a name may be empty", "=1", QS, {}, { "": "1" }],
  ])("%s: %s", (_clause, query, read, theirs, ours) => {
    expect(read(query)).toEqual(theirs);
    expect(readByEtiquette(query)).toEqual(ours);
  });

  it("keeps __proto__ as a name, which qs drops", () => {
    expect(Object.keys(QS("__proto__=1"))).toEqual([]);
    expect(Object.keys(readByEtiquette("__proto__=1"))).toEqual(["__proto__"]);
  });

  it("refuses a parameter too many, of which qs and node:querystring say nothing", () => {
    const query = Array.from({ length: 1_001 }, (_, index) => `a${index}=1`).join("&");
    expect(Object.keys(QS(query))).toHaveLength(1_000);
    expect(Object.keys(SIMPLE(query))).toHaveLength(1_000);
    expect(readByEtiquette(query)).toBe("refused");
  });

  it("leaves + a plus by default, RFC 3986 section 2.2", () => {
    expect(QS("login=joe+tag")).toEqual({ login: "joe tag" });
    expect(parseQuery("login=joe+tag").parameters).toEqual([["login", "joe+tag"]]);
  });
});
