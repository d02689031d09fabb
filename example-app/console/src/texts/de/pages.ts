import type { Translation } from "../define.js";
import type * as english from "../en/pages.js";

export const pages: Translation<typeof english.pages> = {
  tryLogin: "Login ausprobieren",
  rules: "Routing-Regeln",
  tests: "Routing-Tests",
  idps: "Identitätsanbieter",
  zones: "Zonen",
  origins: "Vertrauenswürdige Ursprünge",
  users: "Benutzer",
  tokens: "API-Token",
  log: "Systemprotokoll",
  history: "Verlauf",
  transfer: "Import und Export",
};
