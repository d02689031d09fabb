import { createExpiringMap } from "../../src/pace/expiring-map.js";

describe("createExpiringMap()", () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, "now").mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it("forgets a value after its time", () => {
    const map = createExpiringMap<string>(9);
    expect(map.isEmpty()).toBe(true);
    map.set("a", "x", 10);
    now += 9;
    expect([map.get("a"), map.isEmpty()]).toEqual(["x", false]);
    now += 1;
    expect([map.get("a"), map.isEmpty()]).toEqual([undefined, true]);
  });

  it("keeps as many values as it may, and forgets the oldest beyond that", () => {
    const map = createExpiringMap<number>(3);
    for (const key of ["a", "b", "c"]) map.set(key, 1, 10);
    map.set("a", 2, 10); // is the youngest now
    expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([2, 1, 1]);
    map.set("d", 1, 10);
    expect(["a", "b", "c", "d"].map((key) => map.get(key))).toEqual([2, undefined, 1, 1]);
  });
});
