import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const HOOK = resolve(__dirname, "../support/typescript-hook.js");
const MODULE = resolve(__dirname, "../../console/src/parts/local-time.ts");

/**
 * Runs expressions where clocks are set forward on 29 March, and back on 25 October 2026; before 1893 they were 53 minutes and
 * 28 seconds ahead. A process has one time zone.
 */
function inBerlin(expressions: readonly string[]): unknown {
  const program = `
    const { changedDate, daysBetween, toLocal, toUtc, untilTomorrow } = require(${JSON.stringify(MODULE)});
    process.stdout.write(JSON.stringify([${expressions.map((each) => `(${each}) ?? null`).join()}]));
  `;
  const options = { encoding: "utf8", env: { ...process.env, TZ: "Europe/Berlin" } } as const;
  return JSON.parse(execFileSync(process.execPath, ["--require", HOOK, "--eval", program], options));
}

describe("The fields for dates, where clocks are changed", () => {
  it("show a time as it was typed, also while the year is typed", () => {
    const typed = ["2026-01-31T09:00:00", "2026-07-31T23:59:59", "0002-01-01T10:00:00", "0202-01-01T10:00:00"];
    expect(inBerlin(typed.map((each) => `toLocal(toUtc("${each}"))`))).toEqual(typed);
  });

  it("keep a time that the clock shows twice in a night, and its parts of seconds", () => {
    const second = "2026-10-25T01:30:00.250Z";
    expect(
      inBerlin([
        `toLocal("${second}")`,
        `changedDate("2026-10-25T02:30:00", "${second}")`,
        `changedDate("2026-10-25T02:30:01", "${second}")`,
        `changedDate("", "${second}")`,
        `changedDate("2026-01-31T09:00:00", "24h")`,
        `changedDate("", undefined)`,
      ]),
    ).toEqual(["2026-10-25T02:30:00", second, "2026-10-25T00:30:01.000Z", null, "2026-01-31T08:00:00.000Z", null]);
  });

  it("count days by midnights", () => {
    const cases = [
      ["2026-03-28T12:00:00", "2026-03-29T12:00:00", 1],
      ["2026-03-29T00:30:00", "2026-03-29T23:30:00", 0],
      ["2026-10-24T23:59:59", "2026-10-25T00:00:00", 1],
      ["2026-10-25T23:30:00", "2026-10-26T00:30:00", 1],
      ["2026-10-26T12:00:00", "2026-10-24T12:00:00", -2],
    ] as const;
    const days = inBerlin(cases.map(([from, to]) => `daysBetween(new Date("${from}"), new Date("${to}"))`));
    expect(days).toEqual(cases.map(([, , count]) => count));
  });

  it("know when the next day begins", () => {
    const times = ["2026-03-29T00:00:00", "2026-10-25T00:00:00", "2026-12-31T23:00:00"];
    const hours = inBerlin(times.map((each) => `untilTomorrow(new Date("${each}")) / 3_600_000`));
    expect(hours).toEqual([23, 25, 1]);
  });
});
