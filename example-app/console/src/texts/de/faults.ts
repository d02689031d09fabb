import type { Translation } from "../define.js";
import type * as english from "../en/faults.js";

export const faults: Translation<typeof english.faults> = {
  unreachable: "Der Server ist nicht erreichbar: Bitte die Verbindung prüfen.",
  responded: "Der Server hat mit {status} geantwortet.",
  noPolicy: "Die Organisation hat keine Discovery-Richtlinie.",
  gone: "Das gibt es nicht mehr: Jemand hat es gelöscht.",
  tooMany: "Es waren zu viele Anfragen. Bitte gleich erneut versuchen.",
  notNow: "Der Server kann das gerade nicht. Bitte gleich erneut versuchen.",
  notLoaded: "Ein Teil der Konsole konnte nicht geladen werden: bitte die Verbindung prüfen.",
};
