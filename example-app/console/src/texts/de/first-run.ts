import type { Translation } from "../define.js";
import type * as english from "../en/first-run.js";

export const firstRun: Translation<typeof english.firstRun> = {
  title: "Erste Schritte",
  away: "Ausblenden",
  done: "Erledigt: ",
  idp: "{link}: Dort melden sich Personen an",
  idpLink: "Identitätsanbieter hinzufügen",
  rule: "{link}, die Logins dorthin führt, etwa alle in der eigenen Domain",
  ruleLink: "Regel hinzufügen",
  tried: "Login ausprobieren: unten eingeben",
  token: "{link}, für Kolleginnen und Kollegen, die sich hier damit anmelden, oder für ein Programm",
  tokenLink: "API-Token erstellen",
};
