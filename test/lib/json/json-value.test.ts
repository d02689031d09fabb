import fc from "fast-check";
import { findExceededLimit, isJsonEqual, isObject, type JsonLimits } from "../../../lib/json/json-value.js";

function nest(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe("isJsonEqual", () => {
  it("agrees with the comparison of canonical texts", () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_key, member: unknown) =>
        isObject(member) ? ["an object", ...Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))] : member,
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

describe("findExceededLimit", () => {
  const exceeded = (value: unknown, limits: Partial<JsonLimits>) =>
    findExceededLimit(value, { size: Infinity, depth: Infinity, members: Infinity, ...limits });

  /** Levels and members by the definition, for values of a moderate depth. */
  function measure(value: unknown): { depth: number; members: number } {
    if (typeof value !== "object" || value === null) return { depth: 0, members: 0 };
    const below = Object.values(value).map(measure);
    return {
      depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
      members: below.reduce((sum, { members }) => sum + 1 + members, 0),
    };
  }

  it("measures the characters of the JSON text", () => {
    const withoutEscapes = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("\\"));
    fc.assert(
      fc.property(withoutEscapes, (value) => {
        const { length } = JSON.stringify(value);
        expect(exceeded(JSON.parse(JSON.stringify(value)), { size: length })).toBeUndefined();
        expect(exceeded(JSON.parse(JSON.stringify(value)), { size: length - 1 })).toBe("size");
      }),
    );
  });

  it.each(["depth", "members"] as const)("measures the %s", (limit) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const measured = measure(value)[limit];
        expect(exceeded(value, { [limit]: measured })).toBeUndefined();
        if (measured > 0) expect(exceeded(value, { [limit]: measured - 1 })).toBe(limit);
      }),
    );
  });

  it("stops at the limit, however many times a part is shared", () => {
    let value: unknown = "x";
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(exceeded(value, { size: 10_000 })).toBe("size");
    expect(exceeded(value, { members: 10_000 })).toBe("members");
    expect(exceeded(value, { size: 10_000, depth: 5 })).toBe("depth");
  });

  it("takes any depth", () => {
    expect(exceeded(nest(100_000), { size: 200_001, depth: 100_000, members: 100_000 })).toBeUndefined();
    expect(exceeded(nest(100_000), { size: 200_000 })).toBe("size");
    expect(exceeded(nest(100_000), { depth: 99_999 })).toBe("depth");
    expect(exceeded(nest(100_000), { members: 99_998 })).toBe("members");
  });
});
