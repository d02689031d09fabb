import { parseSettings } from "../../src/program/settings/parse.js";
import { SettingsError } from "../../src/program/settings/settings.js";

describe("--log-retention", () => {
  const parse = (text: string) =>
    parseSettings(new Map([["log-retention", { text, source: "--log-retention" }]])).logRetentionDays;

  it("is 1 to 3650 days, 90 without it", () => {
    expect(parseSettings(new Map()).logRetentionDays).toBe(90);
    for (const days of [1, 2, 3_649, 3_650]) expect(parse(String(days))).toBe(days);
    for (const text of ["", "0", "3651", "10000", "-1", "1.5", "90d"]) {
      expect(() => parse(text)).toThrow(
        new SettingsError(`--log-retention must be an integer from 1 to 3650, not ${JSON.stringify(text)}`),
      );
    }
  });
});
