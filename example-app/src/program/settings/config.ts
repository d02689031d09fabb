import type { SettingGroup } from "./setting.js";
import { text } from "./shapes.js";

/** The settings in a file. */
export const CONFIG = {
  config: {
    placeholder: "FILE",
    help: "file with settings, TOML, or JSON if its name ends in .json; variables and flags override it",
    details: "See [settings in a file](../guides/operating.md#settings-in-a-file).",
    shape: text.optional(),
  },
} as const satisfies SettingGroup;
