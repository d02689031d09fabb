import type { Translation } from "../define.js";
import type * as english from "../en/settings-menu.js";

export const settingsMenu: Translation<typeof english.settingsMenu> = {
  colours: "Farben",
  asSystem: "Wie das System",
  light: "Hell",
  dark: "Dunkel",
  language: "Sprache",
  asBrowser: "Wie der Browser",
  apiDocs: "Dokumentation der API",
  version: "Version {version}",
};
