import type { Translation } from "../define.js";
import type * as english from "../en/transfer.js";

export const transfer: Translation<typeof english.transfer> = {
  about: "Die Datensätze dieser Organisation aus einer Datei übernehmen oder in eine Datei schreiben.",
  mayNotExport: "Das Token darf nicht exportieren",
  neededScopes:
    "Es braucht die Berechtigungen, Richtlinien, Identitätsanbieter, Zonen, vertrauenswürdige Ursprünge und Benutzer zu lesen.",
  export: "Export",
  exportAbout:
    "Eine Datei mit den Identitätsanbietern, Zonen, vertrauenswürdigen Ursprüngen, Regeln und Benutzern. Sie enthält keine Token und kein Protokoll.",
  withUsers: "Mit den Benutzern",
  personal: "Sie sind personenbezogene Daten: Die Datei sicher aufbewahren.",
  exportNow: "Exportieren",
  exporting: "Wird exportiert",
  exportFailed: "Es wurde nichts exportiert",
  exportCancelled: "Abgebrochen.",
  exported: "{name} hat {bytes} Byte.",
  workingFor: { one: "{what}, seit {n} Sekunde", other: "{what}, seit {n} Sekunden" },
};
