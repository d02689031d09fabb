import { defineTexts } from "../define.js";

/** The menu of the header. */
export const settingsMenu = defineTexts("settingsMenu", {
  colours: "Colours",
  asSystem: "As the system",
  light: "Light",
  dark: "Dark",
  language: "Language",
  asBrowser: "As the browser",
  apiDocs: "Documentation of the API",
  version: "Version {version}",
});
