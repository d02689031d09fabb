import fc from "fast-check";
import { isJsonEqual, isJsonObject, isJsonWithin } from "../../../lib/json/json-value.js";

function nest(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe("isJsonEqual", () => {
  it("agrees with the comparison of canonical texts", () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_key, member: unknown) =>
        isJsonObject(member) ? ["an object", ...Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))] : member,
      );
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        const [first, second] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
        expect(isJsonEqual(first, second)).toBe(canonical(first) === canonical(second));
        expect(isJsonEqual(first, JSON.parse(JSON.stringify(first)))).toBe(true);
      }),
    );
  });

  it.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [[], {}, false],
    [null, {}, false],
    [{}, null, false],
    [1, "1", false],
    [0, -0, true],
    [{ a: undefined }, { b: undefined }, false],
    [{ toString: 1 }, {}, false],
    [{ a: 1 }, { toString: 1 }, false],
    [[1], [1, 2], false],
  ])("compares %j with %j: %p", (a, b, equal) => {
    expect(isJsonEqual(a, b)).toBe(equal);
    expect(isJsonEqual(b, a)).toBe(equal);
  });

  it("takes any depth", () => {
    expect(isJsonEqual(nest(100_000), nest(100_000))).toBe(true);
    expect(isJsonEqual(nest(100_000), nest(100_001))).toBe(false);
  });
});

describe("isJsonWithin", () => {
  it("measures the characters of the JSON text", () => {
    const withoutEscapes = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("\\"));
    fc.assert(
      fc.property(withoutEscapes, (value) => {
        const { length } = JSON.stringify(value);
        expect(isJsonWithin(JSON.parse(JSON.stringify(value)), length)).toBe(true);
        expect(isJsonWithin(JSON.parse(JSON.stringify(value)), length - 1)).toBe(false);
      }),
    );
  });

  it("stops at the limit, however many times a part is shared", () => {
    let value: unknown = "x";
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(isJsonWithin(value, 10_000)).toBe(false);
  });

  it("takes any depth", () => {
    expect(isJsonWithin(nest(100_000), 200_001)).toBe(true);
    expect(isJsonWithin(nest(100_000), 200_000)).toBe(false);
  });
});
