import { countBars } from "../../console/src/pages/log/bars.js";

const event = (published: string, severity: "DEBUG" | "INFO" | "WARN" | "ERROR" = "INFO") => ({ published, severity });
const at = (text: string) => Date.parse(text);

describe("countBars", () => {
  it("counts each event in the bar of its time, by severity", () => {
    const events = [
      event("2026-01-05T10:59:59.999Z", "WARN"),
      event("2026-01-05T10:00:00.000Z"),
      event("2026-01-05T09:59:59.999Z"),
      event("2026-01-05T08:00:00.000Z"),
    ];
    const bars = countBars(events, {
      from: at("2026-01-05T08:00:00Z"),
      to: at("2026-01-05T10:59:59.999Z"),
      max: 4,
      offsetAt: () => 0,
    });
    expect(bars.map(({ start, end, total }) => [new Date(start).toISOString(), end - start, total])).toEqual([
      ["2026-01-05T08:00:00.000Z", 3_600_000, 1],
      ["2026-01-05T09:00:00.000Z", 3_600_000, 1],
      ["2026-01-05T10:00:00.000Z", 3_600_000, 2],
    ]);
    expect(bars.at(-1)?.counts).toEqual({ DEBUG: 0, INFO: 1, WARN: 1, ERROR: 0 });
  });

  it("begins days at midnight of the time zone", () => {
    const [bar] = countBars([], {
      from: at("2026-01-01T12:00:00Z"),
      to: at("2026-01-30T12:00:00Z"),
      max: 40,
      offsetAt: () => -60,
    });
    expect(new Date(bar!.start).toISOString()).toBe("2025-12-31T23:00:00.000Z");
  });

  it.each(["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"])(
    "begins days at midnight, also when clocks change at %s",
    (at) => {
      const change = Date.parse(at);
      const [before, after] = at.includes("-03-") ? [-60, -120] : [-120, -60]; // as in Berlin
      const offsetAt = (time: number) => (time < change ? before : after);
      const bars = countBars([event(new Date(change).toISOString())], {
        from: change - 10 * 86_400_000,
        to: change + 10 * 86_400_000,
        max: 40,
        offsetAt,
      });
      const clock = (time: number) => new Date(time - offsetAt(time) * 60_000).toISOString().slice(11);
      expect(new Set(bars.flatMap(({ start, end }) => [clock(start), clock(end)]))).toEqual(new Set(["00:00:00.000Z"]));
      const [bar] = bars.filter(({ total }) => total > 0);
      expect([bar!.start <= change, bar!.end > change, bar!.end - bar!.start]).toEqual([
        true,
        true,
        86_400_000 + (after - before) * 60_000,
      ]);
    },
  );

  it.each([1_000, 14_000, 59_000, 3_600_000, 14 * 3_600_000, 86_400_000, 90 * 86_400_000, 4_000 * 86_400_000])(
    "makes no more bars than it may of %d ms",
    (length) => {
      for (const from of [0, 1, 999, 1_767_603_599_999]) {
        const bars = countBars([], { from, to: from + length, max: 14, offsetAt: () => 300 });
        expect(bars.length).toBeLessThanOrEqual(14);
        expect(bars[0]!.start).toBeLessThanOrEqual(from);
        expect(bars.at(-1)!.end).toBeGreaterThan(from + length);
      }
    },
  );
});
