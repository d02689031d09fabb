import { SETTING_GROUPS, SETTING_NAMES, SETTINGS } from "../../../src/program/settings/index.js";
import type { Setting } from "../../../src/program/settings/setting.js";

describe("SETTINGS", () => {
  it("has each setting in one group", () => {
    expect(Object.values(SETTING_GROUPS).flatMap((group) => Object.keys(group))).toEqual(SETTING_NAMES);
  });

  it("fills each member of Settings by one setting at most", () => {
    const targets = Object.values<Setting>(SETTINGS).flatMap(({ target }) => target ?? []);
    expect(targets).toEqual([...new Set(targets)]);
  });
});
