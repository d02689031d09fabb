import fc from "fast-check";
import { BUILT_IN } from "../../../lib/errors/compile-catalogue.js";
import { findResponseFaults, type CheckedResponse } from "../../../lib/faults/response-faults.js";

function check(response: Partial<CheckedResponse>): string[] {
  const checked = {
    status: 200,
    links: [],
    requestId: "id",
    contentType: "application/json",
    body: undefined,
    maxBytesPerCharacter: 3 as const,
    catalogue: BUILT_IN,
    ...response,
  };
  return findResponseFaults(checked).map(({ rule, place }) => `${rule} ${place}`);
}

function checkBody(value: unknown): string[] {
  return check({ body: JSON.stringify(value) });
}

describe("findResponseFaults", () => {
  it.each([
    "2026-11-21",
    "2026-11-21T09:05:07Z",
    "2026-11-21T09:05:07.040+01:00",
    "2026-11-21 09:05",
    "2026-02-30T00:00:00.000Z",
    "Sat, 21 Nov 2026 09:05:07 GMT",
    String(new Date(0)),
  ])("S4 reports %s", (text) => {
    expect(checkBody({ user: { created: text } })).toEqual(["S4 /user/created"]);
  });

  it.each(["2026-11-21T09:05:07.040Z", "2026", "1-2-3", "Sunday", "20 GMT", "2026-11-21-backup"])(
    "S4 lets %s pass",
    (text) => {
      expect(checkBody([text])).toEqual([]);
    },
  );

  it("S5 lets characters of four bytes pass where they are allowed, in values and keys", () => {
    const body = (text: string) => JSON.stringify({ [text]: text });
    expect(check({ body: body("😀"), maxBytesPerCharacter: 4 })).toEqual([]);
    expect(check({ body: body("\ud800"), maxBytesPerCharacter: 4 })).toEqual(["S5 /\ud800", "S5 /\ud800"]);
    expect(check({ body: body("\ufeff"), maxBytesPerCharacter: 4 })).toEqual(["S5 /\ufeff", "S5 /\ufeff"]);
  });

  it.each(["😀", "\ud800", "a\ufeff"])("S5 reports %j in a value and in a key, at any depth", (text) => {
    expect(checkBody([{ a: text }])).toEqual(["S5 /0/a"]);
    expect(checkBody({ "b/c~": { [text]: 1 } })).toEqual([`S5 /b~1c~0/${text}`]);
  });

  const errorObject = {
    errorCode: "E0000001",
    errorSummary: "",
    errorLink: "E0000001",
    errorId: "id",
    errorCauses: [],
  };

  it("E1 lets the error object pass", () => {
    expect(check({ status: 400, body: JSON.stringify(errorObject) })).toEqual([]);
    const problem = JSON.stringify({ type: "about:blank", ...errorObject, errorCauses: [{ errorSummary: "a" }] });
    expect(check({ status: 400, contentType: "application/problem+json", body: problem })).toEqual([]);
  });

  it.each([
    [{ ...errorObject, errorCode: "X", errorLink: "X" }, "E1 /errorCode"],
    [{ ...errorObject, errorLink: "E0000002" }, "E1 /errorLink"],
    [{ ...errorObject, errorId: "other" }, "E1 /errorId"],
    [{ ...errorObject, errorCauses: "none" }, "E1 /errorCauses"],
    [{ ...errorObject, errorCauses: [{}] }, "E1 /errorCauses"],
    [{ ...errorObject, errorCauses: undefined }, "E1 "],
    [{ error: "no" }, "E1 "],
    [[], "E1 "],
  ])("E1 reports %j", (body, fault) => {
    expect(check({ status: 500, body: JSON.stringify(body) })).toEqual([fault]);
  });

  it("E1 reports a failure that is not JSON, and a success is none", () => {
    expect(check({ status: 404, contentType: "text/html; charset=utf-8", body: "<p>" })).toEqual(["E1 "]);
    expect(check({ status: 404, contentType: undefined, body: "" })).toEqual(["E1 "]);
    expect(check({ status: 404, body: "{" })).toEqual(["E1 "]);
    expect(check({ status: 399, contentType: "text/html", body: "<p>" })).toEqual([]);
    expect(check({ status: 404 })).toEqual([]);
  });

  const self = { href: "https://a.example/users/1" };

  it("L1 looks at the names that the body has, whatever names another body had", () => {
    const earlier = JSON.parse(String.raw`{"response":1,"_link\\":1}`) as unknown;
    expect(check({ body: String.raw`{"response":1,"_link\u0073":1}` })).toEqual(["L1 /_links"]);
    expect(earlier).toBeDefined();
  });

  it("L1 L2 L3 let Link objects pass, one or several", () => {
    expect(checkBody([{ _links: { self, logo: [{ ...self, name: "small", type: "image/png" }] } }])).toEqual([]);
    expect(checkBody({ _links: {} })).toEqual([]);
    expect(checkBody(["_links"])).toEqual([]);
  });

  it.each([
    [[self], "L1 /_links"],
    [null, "L1 /_links"],
    [{ "a b": self }, "L1 /_links/a b"],
    [{ self: "https://a.example" }, "L1 /_links/self"],
    [{ self: [self, null] }, "L1 /_links/self"],
    [{ self: {} }, "L2 /_links/self"],
    [{ self: { href: "users/1" } }, "L2 /_links/self"],
    [{ self: { ...self, name: 1 } }, "L2 /_links/self"],
    [{ self: { ...self, type: "application/json" } }, "L3 /_links/self"],
  ])("L1 L2 L3 report _links %j", (links, fault) => {
    expect(checkBody({ _links: links })).toEqual([fault]);
  });

  const line = (relation: string, target = "https://a.example/users?limit=1") => `<${target}>; rel="${relation}"`;

  it("P2 lets one line a relation pass", () => {
    expect(check({ links: [line("self"), line("next")] })).toEqual([]);
    expect(check({ links: [`${line("deprecation")}; type="text/html"`] })).toEqual([]);
  });

  it.each([
    [[line("self", "/users")]],
    [[`${line("self")}, ${line("next")}`]],
    [[line("self next")]],
    [[line("self"), line("SELF")]],
    [[line("next")]],
    [["https://a.example"]],
  ])("P2 reports %j", (links) => {
    expect(check({ links })).toEqual(["P2 Link"]);
  });

  it.each([19, 20, 21])("reports at most 20 faults of %d", (count) => {
    expect(checkBody(Array.from({ length: count }, () => "2026-11-21"))).toHaveLength(Math.min(count, 20));
    expect(check({ links: Array.from({ length: count }, () => "x") })).toHaveLength(Math.min(count, 20));
  });

  it("reports the faults of a list in its order", () => {
    expect(checkBody(["2026-11-21", { a: "2026-11-22" }, "2026-11-23"])).toEqual(["S4 /0", "S4 /1/a", "S4 /2"]);
  });

  it("reads what is nested deeper than the stack", () => {
    const body = `${"[".repeat(100_000)}"2026-11-21"${"]".repeat(100_000)}`;
    expect(check({ body })).toHaveLength(1);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 200, max: 599 }), fc.array(fc.string()), (value, status, links) => {
        expect(() => check({ status, links, body: JSON.stringify(value) })).not.toThrow();
        expect(() => checkBody({ _links: value })).not.toThrow();
      }),
    );
  });
});
