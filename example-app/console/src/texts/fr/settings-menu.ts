import type { Translation } from "../define.js";
import type * as english from "../en/settings-menu.js";

export const settingsMenu: Translation<typeof english.settingsMenu> = {
  colours: "Couleurs",
  asSystem: "Comme le système",
  light: "Clair",
  dark: "Sombre",
  language: "Langue",
  asBrowser: "Comme le navigateur",
  apiDocs: "Documentation de l’API",
  version: "Version {version}",
};
