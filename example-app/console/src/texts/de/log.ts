import type { Translation } from "../define.js";
import type * as english from "../en/log.js";

export const log: Translation<typeof english.log> = {
  about: "Wer was geändert hat, und jede Anfrage an diese Organisation. Neue Ereignisse erscheinen von selbst.",
  live: "Live",
  reading: "Protokoll wird gelesen",
  searching: "Protokoll wird durchsucht",
  count: { one: "{n} Ereignis", other: "{n} Ereignisse" },
  countOrMore: "{count} oder mehr Ereignisse",
  noEvents: "Keine Ereignisse",
  noEventsHint:
    "Einen längeren Zeitraum wählen oder alles anzeigen. Eine Änderung, zum Beispiel das Ausschalten einer Regel, erscheint hier innerhalb einer Sekunde.",
  nothingYet: "Bisher nichts gefunden",
  searchOn: "Weitersuchen",
  newEvents: { one: "{n} neues Ereignis", other: "{n} neue Ereignisse" },
  showOlder: "Ältere Ereignisse anzeigen",
  comma: ", ",
  overTime: "Ereignisse im Zeitverlauf",
  ofNewest: "Der neuesten {count} Ereignisse",
  hideTable: "Tabelle ausblenden",
  showTable: "Als Tabelle anzeigen",
  time: "Zeit",
  bar: "{time}: {counts}",
  none: "keine Ereignisse",
  readingEvents: "Ereignisse werden gelesen",
  nothingSaved: "Es wurde nichts gespeichert",
  download: "Als CSV herunterladen",
  saved: { one: "Die Datei enthält {n} Ereignis.", other: "Die Datei enthält {n} Ereignisse." },
  savedNewest: {
    one: "Die Datei enthält das neueste {n} Ereignis; für ältere eine kürzere Zeit wählen.",
    other: "Die Datei enthält die neuesten {n} Ereignisse; für ältere eine kürzere Zeit wählen.",
  },
};
