import fc from "fast-check";
import { compileAccept, MAX_ACCEPT_LENGTH, selectMediaType } from "../../../lib/http/accept.js";

const JSON_ONLY = ["application/json"];
const JRD_OR_JSON = ["application/jrd+json", "application/json"];

const accepts = (accept: string | undefined) => selectMediaType(accept, JSON_ONLY) !== undefined;

describe("selectMediaType", () => {
  it.each([[undefined], [""], [" "], [","], [" , ,\t"]])("takes the first of what is offered for %j", (accept) => {
    expect(selectMediaType(accept, JRD_OR_JSON)).toBe("application/jrd+json");
  });

  it.each([
    ["application/json"],
    ["APPLICATION/JSON"],
    ["application/*"],
    ["*/*"],
    ["text/html, application/json"],
    ["text/html , , application/json ,"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
    ["application/json;q=0.001"],
    ["application/json;q=1.000"],
    ["application/json;q=0.5;ext=1, application/json"],
    ["application/json ; Q=0.5"],
    ["application/json;charset=utf-8"],
    ["application/json;charset=UTF-8;q=0.9"],
    ['application/json; Charset="Utf-8"'],
    ["*/*;charset=utf-8"],
    ["application/*;q=0, application/json"],
    ["*/*;q=0, application/*;q=0.1"],
    ['text/x;a="b,c", application/json'],
    ['text/x;a="b\\",c", application/json'],
  ])("S3 accepts JSON for %s", (accept) => {
    expect(accepts(accept)).toBe(true);
  });

  it.each([
    ["text/html"],
    ["application/hal+json"],
    ["application/hal+json, text/html;q=0.5"],
    ["application/jsonx"],
    ["application/json;q=0"],
    ["application/json;q=0.000"],
    ["application/json;q=0, */*"],
    ["*/*, application/json;q=0"],
    ["application/*;q=0, */*"],
    ["application/json;charset=utf-8;q=0, application/json"],
    ["application/json;charset=utf-16"],
    ["*/*;charset=iso-8859-1"],
    ["application/json;version=2"],
    ["text/*"],
    ["appl/*"],
    ["*/json"],
  ])("S3 refuses JSON for %s", (accept) => {
    expect(accepts(accept)).toBe(false);
  });

  it.each([["application/json, application/json;q=0"], ["application/json;q=0, application/json"]])(
    "S3 lets q=0 refuse whatever else is said of the same range: %s",
    (accept) => {
      expect(accepts(accept)).toBe(false);
    },
  );

  it.each([
    ["application/json;q=2"],
    ["application/json;q=1.001"],
    ["application/json;q=-1"],
    ["application/json;q=0.1234"],
    ["application/json;q=high"],
    ["application/json;q=."],
    ["application/json;q=1e-1"],
    ["application/json;q"],
    ["application/json;q="],
    ['application/json;q=""'],
    ["application/json;q=0.5;q=0.6"],
    ["application/json charset=utf-8"],
    ["json"],
    ["*"],
    ["application/"],
    ['application/json;x="'],
  ])("ignores the malformed range %s, and reads the others", (malformed) => {
    expect(accepts(malformed)).toBe(false);
    expect(accepts(`${malformed}, text/html`)).toBe(false);
    expect(accepts(`application/json;q=0.5, ${malformed}`)).toBe(true);
  });

  it("takes an unclosed quote for the end of the list", () => {
    expect(accepts('text/html;x="y, application/json')).toBe(false);
    expect(accepts('application/json, text/html;x="y, application/json;q=0')).toBe(true);
  });

  it("understands what Java's HttpURLConnection sends", () => {
    expect(accepts("text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2")).toBe(true);
  });

  it.each([
    ["the highest weight", "application/jrd+json;q=0.5, application/json;q=0.6", "application/json"],
    ["a third decimal", "application/jrd+json;q=0.998, application/json;q=0.999", "application/json"],
    ["the first offered of equals", "application/json, application/jrd+json", "application/jrd+json"],
    ["the first offered under a wildcard", "*/*", "application/jrd+json"],
    ["the only one accepted", "application/json", "application/json"],
    ["the weight of the more specific range", "application/jrd+json;q=0.1, */*;q=0.5", "application/json"],
    ["what a wildcard allows beside a refusal", "application/jrd+json;q=0, */*", "application/json"],
  ])("selects %s", (_case, accept, expected) => {
    expect(selectMediaType(accept, JRD_OR_JSON)).toBe(expected);
  });

  it("orders ranges as RFC 9110 section 12.5.1 does", () => {
    const accept = "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5";
    const weightOf = (type: string): number => {
      // the weight of `type` is where it stops to win over a probe of known weight
      for (let weight = 10; weight > 0; weight--) {
        const selected = selectMediaType(`${accept}, probe/x;q=${weight / 10}`, [type, "probe/x"]);
        if (selected === type) return weight / 10;
      }
      return 0;
    };
    expect(weightOf("text/plain;format=flowed")).toBe(1);
    expect(weightOf("text/plain")).toBe(0.7);
    expect(weightOf("text/html")).toBe(0.3);
    expect(weightOf("image/jpeg")).toBe(0.5);
    expect(weightOf("text/plain;format=fixed")).toBe(0.4);
    expect(weightOf("text/html;level=3")).toBe(0.3);
  });

  it("matches a range with parameters only to a type that has them, in any case", () => {
    const offered = ["application/json", "application/json;profile=short"];
    expect(selectMediaType("application/json;Profile=SHORT", offered)).toBe("application/json;profile=short");
    expect(selectMediaType('application/json;profile="short";x=1', offered)).toBeUndefined();
  });

  it("returns what is offered as it was written", () => {
    expect(selectMediaType("*/*", ["application/json; charset=utf-8"])).toBe("application/json; charset=utf-8");
  });

  it("selects nothing where nothing is offered", () => {
    expect(selectMediaType("*/*", [])).toBeUndefined();
    expect(selectMediaType(undefined, [])).toBeUndefined();
  });

  it.each([["Application/json"], ["application/*"], ["*/*"], ["json"], [""], ["a/b, c/d"]])(
    "refuses to offer %j",
    (type) => {
      expect(() => selectMediaType("*/*", ["text/plain", type])).toThrow(TypeError);
    },
  );

  it.each([
    [-1, "application/json"],
    [0, "application/json"],
    [1, undefined],
  ])("reads 2,048 characters: the limit %d", (difference, expected) => {
    const filler = MAX_ACCEPT_LENGTH + difference - "*/*,".length;
    expect(MAX_ACCEPT_LENGTH).toBe(2048);
    expect(selectMediaType(`*/*,${"x".repeat(filler)}`, JSON_ONLY)).toBe(expected);
  });

  it.each([
    ["ranges", "a/b,".repeat(3000)],
    ["quotes", '"'.repeat(9000)],
    ["unclosed quotes", 'a/b;x=",'.repeat(1200)],
    ["semicolons", ";".repeat(9000)],
    ["parameters", `a/b${";a=".repeat(3000)}`],
    ["white space", " ".repeat(9000)],
    ["escapes", `a/b;x="${"\\".repeat(9000)}`],
  ])("accepts nothing under 9 KB of %s, nor under as many as are read", (_hostile, accept) => {
    expect(selectMediaType(accept, JSON_ONLY)).toBeUndefined();
    const expected = accept.trim() === "" ? "application/json" : undefined;
    expect(selectMediaType(accept.slice(0, MAX_ACCEPT_LENGTH), JSON_ONLY)).toBe(expected);
  });

  it("returns one of what is offered or nothing, whatever it reads", () => {
    const piece = fc.constantFrom(
      "application/json",
      "*/*",
      "a",
      "/",
      ";",
      "q=",
      "0.5",
      '"',
      "\\",
      ",",
      " ",
      "charset=utf-8",
    );
    const hostile = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(hostile, (accept) => {
        expect([undefined, ...JRD_OR_JSON]).toContain(selectMediaType(accept, JRD_OR_JSON));
      }),
      { numRuns: 1000 },
    );
  });

  it("agrees with the definition on every well-formed list", () => {
    const offered = ["application/json", "application/problem+json", "text/plain"];
    const range = fc.record({
      name: fc.constantFrom("*/*", "application/*", "text/*", "image/*", ...offered),
      thousandths: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 6 }), (ranges) => {
        const accept = ranges.map(({ name, thousandths }) => `${name};q=${(thousandths / 1000).toFixed(3)}`).join(", ");
        const weights = offered.map((type) => {
          const byPrecedence = [type, type.replace(/\/.*/, "/*"), "*/*"];
          const decisive = byPrecedence.find((name) => ranges.some((candidate) => candidate.name === name));
          const candidates = ranges.filter(({ name }) => name === decisive).map(({ thousandths }) => thousandths);
          return candidates.length === 0 ? 0 : Math.min(...candidates);
        });
        const highest = Math.max(...weights);
        const expected = highest === 0 ? undefined : offered[weights.indexOf(highest)];
        expect(selectMediaType(accept, offered)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("compileAccept", () => {
  it("selects as selectMediaType does, the first time and again", () => {
    const select = compileAccept(JRD_OR_JSON);
    for (const accept of [undefined, "", "*/*", "application/json", "text/html", "application/json;q=0, */*"]) {
      const expected = selectMediaType(accept, JRD_OR_JSON);
      expect([select(accept), select(accept)]).toEqual([expected, expected]);
    }
  });

  it("does not see what happens to the list later", () => {
    const offered = ["application/json"];
    const select = compileAccept(offered);
    offered[0] = "text/html";
    expect(select("*/*")).toBe("application/json");
    expect(select(undefined)).toBe("application/json");
  });

  it("refuses at once what can't be offered", () => {
    expect(() => compileAccept(["text/*"])).toThrow(new TypeError('"text/*" is not a media type in lower case'));
  });
});
