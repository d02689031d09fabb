import fc from "fast-check";
import { nextRefresh } from "../../src/metadata/next-refresh.js";

const NOW = "2026-11-27T09:00:00.000Z";
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const delayOf = (id: string, failures: number, interval = DAY) =>
  Date.parse(nextRefresh(id, NOW, failures, interval)) - Date.parse(NOW);

describe("nextRefresh", () => {
  it("is after the interval, or up to a tenth sooner, always the same for an id", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 5 * MINUTE, max: 30 * DAY }), (id, interval) => {
        const delay = delayOf(id, 0, interval);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(interval * 0.9));
        expect(delay).toBeLessThanOrEqual(interval);
        expect(delayOf(id, 0, interval)).toBe(delay);
      }),
    );
    expect(new Set(["a", "b", "c", "d"].map((id) => delayOf(id, 0))).size).toBe(4);
  });

  it("is five minutes after a failure, twice as long after each further one, and never longer than the interval", () => {
    const whole = delayOf("a", 0) / DAY;
    const minutes = [1, 2, 3, 9, 10, 2_000].map((failures) => Math.round(delayOf("a", failures) / whole / MINUTE));
    expect(minutes).toEqual([5, 10, 20, 1_280, 1_440, 1_440]);
    expect(delayOf("a", 3, 5 * MINUTE)).toBe(delayOf("a", 0, 5 * MINUTE));
  });
});
