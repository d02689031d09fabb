import type { Translation } from "../define.js";
import type * as english from "../en/log-row.js";

export const logRow: Translation<typeof english.logRow> = {
  why: "Warum",
  whyOf: "Warum: Ereignis {event} vom {date}",
  show: "Anzeigen",
  showOf: "Ereignis {event} vom {date} anzeigen",
  hide: "Ausblenden",
  hideOf: "Ereignis {event} vom {date} ausblenden",
  facts: "{type} von {actor}",
  factsFrom: "{type} von {actor}, Adresse {address}",
  factsAbout: "{type} von {actor}, betrifft {targets}",
  factsFromAbout: "{type} von {actor}, Adresse {address}, betrifft {targets}",
  onlyType: "Nur Ereignisse der Art {name}",
  onlyBy: "Nur Ereignisse von {name}",
  onlyFrom: "Nur Ereignisse von der Adresse {name}",
  onlyAbout: "Nur Ereignisse, die {name} betreffen",
  comma: ", ",
  readingChanges: "Änderungen werden gelesen",
  requestId: "ID der Anfrage",
  copyRequestId: "ID der Anfrage kopieren",
  ofRequest: "Alle Ereignisse dieser Anfrage",
  became: " wurde zu ",
  fieldsAndMore: { one: "{fields} und {n} weiteres", other: "{fields} und {n} weitere" },
  removed: "entfernt",
  none: "leer",
};
