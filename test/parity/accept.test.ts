import fc from "fast-check";
import Negotiator from "negotiator";
import { selectMediaType } from "../../lib/http/accept.js";

const OFFERED = ["application/json", "application/problem+json", "text/plain"];

function negotiator(accept: string, offered: string[]): string | undefined {
  return new Negotiator({ headers: { accept } }).mediaType(offered);
}

describe("selectMediaType and negotiator", () => {
  it("select the same for well-formed lists in which no range comes twice and no weight is equal", () => {
    const ranges = fc.uniqueArray(fc.constantFrom("*/*", "application/*", "text/*", "image/png", ...OFFERED), {
      minLength: 1,
    });
    const weights = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 7, maxLength: 7 });
    const separator = fc.constantFrom(",", ", ", " ,\t");
    fc.assert(
      fc.property(ranges, weights, separator, (names, thousandths, comma) => {
        const accept = names.map((name, index) => `${name};q=${(thousandths[index]! / 1000).toFixed(3)}`).join(comma);
        expect(selectMediaType(accept, OFFERED)).toBe(negotiator(accept, OFFERED));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"],
    ["application/json, text/plain, */*"],
    ["application/json;q=0.5;ext=1"],
    ["APPLICATION/JSON"],
    ['text/x;a="b,c", application/json'],
    ["application/json;version=2"],
    ["*/*;q=0"],
    ["text/html"],
  ])("select the same for %s", (accept) => {
    expect(selectMediaType(accept, OFFERED)).toBe(negotiator(accept, OFFERED));
  });

  /** Where ours differs on purpose. */
  it.each<[string, string, string | undefined, string | undefined]>([
    ["JSON is always UTF-8 (S3)", "application/json;charset=utf-8", undefined, "application/json"],
    ["a qvalue is at most 1 (RFC 9110 section 12.4.2)", "application/json;q=2", "application/json", undefined],
    ["a qvalue has three decimals (section 12.4.2)", "application/json;q=0.12345", "application/json", undefined],
    ["q=0 refuses (section 12.4.2)", "application/json, application/json;q=0", "application/json", undefined],
    ["an empty list says nothing (section 12.5.1)", "", undefined, "application/json"],
    ["a parameter has a value (section 5.6.6)", "application/json;q", "application/json", undefined],
    ["a range ends where its parameters end", 'application/json;q="1"x', "application/json", undefined],
    ["equals go to the server's preference", "text/plain, application/json", "text/plain", "application/json"],
    ["2,048 characters are read", `${"a/b,".repeat(512)}*/*`, "application/json", undefined],
  ])("differ, for %s", (_clause, accept, theirs, ours) => {
    expect(negotiator(accept, OFFERED)).toBe(theirs);
    expect(selectMediaType(accept, OFFERED)).toBe(ours);
  });
});
