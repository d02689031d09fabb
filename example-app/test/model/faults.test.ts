import { excerpt, formatPath } from "../../src/model/faults.js";

/** How much of a value `work` reads. */
function countReads(value: object, work: (value: unknown) => void): number {
  let reads = 0;
  const observe = (target: object): object =>
    new Proxy(target, {
      get(object, key) {
        reads++;
        const found: unknown = Reflect.get(object, key);
        return typeof found === "object" && found !== null ? observe(found) : found;
      },
    });
  work(observe(value));
  return reads;
}

describe("excerpt", () => {
  it.each([
    null,
    1.5,
    true,
    "",
    "a\u0000\n",
    [],
    {},
    [1, [null, "x"], {}],
    { a: { b: [1], "c d": "e" }, f: false },
    ...[56, 57, 58, 59, 60, 61, 62, 200].flatMap((length) => {
      const text = '"'.repeat(length / 2) + "x".repeat(length / 2);
      return [
        "y".repeat(length),
        text,
        [text],
        { [text]: text },
        Array(length).fill(1),
        { a: ["z".repeat(length), 1] },
      ];
    }),
  ])("begins like the whole JSON text: %j", (value) => {
    const text = JSON.stringify(value);
    expect(excerpt(value)).toBe(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  });

  it("reads only what it shows", () => {
    const nested = (levels: number) => {
      let value: object = [];
      for (let level = 0; level < levels; level++) value = [value];
      return value;
    };
    for (const value of [nested(900), Array(10_000).fill("x"), Object.fromEntries(Array(10_000).entries())]) {
      expect(countReads(value, excerpt)).toBeLessThan(100);
    }
  });
});

describe("formatPath", () => {
  it("cuts long keys and long paths", () => {
    expect(formatPath(["a".repeat(64), 0, "b".repeat(64)])).toBe(`${"a".repeat(64)}[0].${"b".repeat(64)}`);
    expect(formatPath(["a".repeat(65)])).toBe(`["${"a".repeat(59)}…]`);
    expect(formatPath(Array<string>(16).fill("a"))).toBe(`a${".a".repeat(15)}`);
    expect(formatPath(Array<string>(17).fill("a"))).toBe(`a${".a".repeat(15)}…`);
  });
});
