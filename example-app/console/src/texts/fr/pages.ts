import type { Translation } from "../define.js";
import type * as english from "../en/pages.js";

export const pages: Translation<typeof english.pages> = {
  tryLogin: "Tester un login",
  rules: "Règles de routage",
  tests: "Tests de routage",
  idps: "Fournisseurs d’identité",
  zones: "Zones",
  origins: "Origines de confiance",
  users: "Utilisateurs",
  tokens: "Jetons d’API",
  log: "Journal système",
  history: "Historique",
  transfer: "Import et export",
};
