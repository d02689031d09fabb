import type { Translation } from "../define.js";
import type * as english from "../en/log-row.js";

export const logRow: Translation<typeof english.logRow> = {
  why: "Pourquoi",
  whyOf: "Pourquoi : l’événement {event} du {date}",
  show: "Afficher",
  showOf: "Afficher l’événement {event} du {date}",
  hide: "Masquer",
  hideOf: "Masquer l’événement {event} du {date}",
  facts: "{type} par {actor}",
  factsFrom: "{type} par {actor} depuis {address}",
  factsAbout: "{type} par {actor} à propos de {targets}",
  factsFromAbout: "{type} par {actor} depuis {address} à propos de {targets}",
  onlyType: "Seulement les événements du type {name}",
  onlyBy: "Seulement les événements de {name}",
  onlyFrom: "Seulement les événements depuis {name}",
  onlyAbout: "Seulement les événements à propos de {name}",
  comma: ", ",
  readingChanges: "Lecture des modifications",
  requestId: "Identifiant de la requête",
  copyRequestId: "Copier l’identifiant de la requête",
  ofRequest: "Tous les événements de cette requête",
  became: " devient ",
  fieldsAndMore: { one: "{fields} et {n} autre", other: "{fields} et {n} autres" },
  removed: "supprimé",
  none: "vide",
};
