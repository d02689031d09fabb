import { createId, ID_REGEXP } from "../../src/model/ids.js";

describe("createId", () => {
  it("makes 20 letters and digits, never the same", () => {
    const ids = Array.from({ length: 10_000 }, createId);
    expect(ids.every((id) => ID_REGEXP.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("favours no character", () => {
    const counts = new Map<string, number>();
    for (const character of Array.from({ length: 31_000 }, createId).join("")) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // 10,000 of each are expected, with a standard deviation of 99; a byte modulo 62 would favour eight by a quarter.
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(900);
  });
});
