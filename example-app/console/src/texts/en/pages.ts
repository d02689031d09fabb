import { defineTexts } from "../define.js";

/** What the pages are called, in the navigation and as their titles. */
export const pages = defineTexts("pages", {
  tryLogin: "Try a login",
  rules: "Routing rules",
  tests: "Routing tests",
  idps: "Identity providers",
  zones: "Zones",
  origins: "Trusted origins",
  users: "Users",
  tokens: "API tokens",
  log: "System Log",
  history: "History",
  transfer: "Import and export",
});
