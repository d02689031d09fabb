import type { Translation } from "../define.js";
import type * as english from "../en/log-csv.js";

export const logCsv: Translation<typeof english.logCsv> = {
  time: "Zeit",
  severity: "Schweregrad",
  type: "Art",
  sentence: "Satz",
  actor: "Akteur",
  actorId: "Akteur-ID",
  targets: "Ziele",
  address: "Adresse",
  outcome: "Ergebnis",
  reason: "Grund",
  requestId: "Anfrage-ID",
};
