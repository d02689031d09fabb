import { memoize } from "../../../lib/text/memoize.js";

function counting(): { calls: string[]; compute: (key: string) => string | undefined } {
  const calls: string[] = [];
  return {
    calls,
    compute(key) {
      calls.push(key);
      return key === "none" ? undefined : key.toUpperCase();
    },
  };
}

describe("memoize", () => {
  it("computes once for each argument, also when the result is undefined", () => {
    const { calls, compute } = counting();
    const memoized = memoize(compute);
    expect([memoized("a"), memoized("none"), memoized("a"), memoized("none")]).toEqual([
      "A",
      undefined,
      "A",
      undefined,
    ]);
    expect(calls).toEqual(["a", "none"]);
  });

  it("keeps the result for an argument of 256 characters, not of 257", () => {
    const { calls, compute } = counting();
    const memoized = memoize(compute);
    for (const length of [255, 256, 257]) {
      expect(memoized("x".repeat(length))).toBe("X".repeat(length));
      memoized("x".repeat(length));
    }
    expect(calls.map((key) => key.length)).toEqual([255, 256, 257, 257]);
  });

  it("keeps 128 results, and starts afresh with the next", () => {
    const { calls, compute } = counting();
    const memoized = memoize(compute);
    for (let round = 0; round < 2; round++) for (let index = 0; index < 128; index++) memoized(`key ${index}`);
    expect(calls).toHaveLength(128);

    memoized("one more");
    memoized("one more");
    expect(calls).toHaveLength(129);
    expect(memoized("key 0")).toBe("KEY 0");
    expect(calls).toHaveLength(130);
  });
});
