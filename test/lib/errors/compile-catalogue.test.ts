import { BUILT_IN, compileCatalogue } from "../../../lib/errors/compile-catalogue.js";

const ENTRY = { status: 409, summary: "taken" };

describe("compileCatalogue", () => {
  it("is the catalogue of the suite without one of the app's own", () => {
    expect(compileCatalogue("f", undefined)).toBe(BUILT_IN);
    expect([...compileCatalogue("f", {})]).toEqual([...BUILT_IN]);
  });

  it.each(["A", "ACME-1.2_b", "x".repeat(64), "constructor"])("takes the code %s", (code) => {
    expect(compileCatalogue("f", { [code]: ENTRY }).get(code)).toEqual(ENTRY);
    expect(BUILT_IN.has(code)).toBe(false);
  });

  it.each([400, 499, 500, 599])("takes the status %i", (status) => {
    expect(compileCatalogue("f", { A: { status, summary: "s" } }).get("A")).toEqual({ status, summary: "s" });
  });

  it.each([
    null,
    [],
    [ENTRY],
    "A",
    () => ({}),
    { "": ENTRY },
    { "a b": ENTRY },
    { ä: ENTRY },
    { ["x".repeat(65)]: ENTRY },
  ])("refuses %p", (own) => {
    expect(() => compileCatalogue("f", own as never)).toThrow(
      new TypeError(
        "f: option `catalogue` must be an object of { status, summary }, each under 1 to 64 of A-Z a-z 0-9 _ . -",
      ),
    );
  });

  it("E3 refuses another meaning for a code of the suite", () => {
    expect(() => compileCatalogue("f", { E0000001: ENTRY })).toThrow(
      new TypeError("f: option `catalogue.E0000001` must be another code; this one is built in"),
    );
  });

  it.each([
    [null, "catalogue.A", "an object { status, summary }"],
    ["taken", "catalogue.A", "an object { status, summary }"],
    [{ summary: "taken" }, "catalogue.A.status", "an integer from 400 to 599"],
    [{ ...ENTRY, status: 399 }, "catalogue.A.status", "an integer from 400 to 599"],
    [{ ...ENTRY, status: 600 }, "catalogue.A.status", "an integer from 400 to 599"],
    [{ ...ENTRY, status: 404.5 }, "catalogue.A.status", "an integer from 400 to 599"],
    [{ ...ENTRY, status: "409" }, "catalogue.A.status", "an integer from 400 to 599"],
    [{ status: 409 }, "catalogue.A.summary", "a non-empty string"],
    [{ ...ENTRY, summary: "" }, "catalogue.A.summary", "a non-empty string"],
    [{ ...ENTRY, summary: ["taken"] }, "catalogue.A.summary", "a non-empty string"],
  ])("refuses the entry %j, naming what is wrong", (entry, option, expected) => {
    expect(() => compileCatalogue("f", { A: entry } as never)).toThrow(
      new TypeError(`f: option \`${option}\` must be ${expected}`),
    );
  });
});
