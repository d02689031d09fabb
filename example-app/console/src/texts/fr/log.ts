import type { Translation } from "../define.js";
import type * as english from "../en/log.js";

export const log: Translation<typeof english.log> = {
  about:
    "Qui a modifié quoi, et chaque requête adressée à cette organisation. Les nouveaux événements apparaissent d’eux-mêmes.",
  live: "En direct",
  reading: "Lecture du journal",
  searching: "Recherche dans le journal",
  count: { one: "{n} événement", other: "{n} événements" },
  countOrMore: "Événements : {count} ou plus",
  noEvents: "Aucun événement",
  noEventsHint:
    "Choisissez une période plus longue ou affichez tout. Une modification, comme la désactivation d’une règle, apparaît ici en une seconde.",
  nothingYet: "Rien de trouvé pour l’instant",
  searchOn: "Poursuivre la recherche",
  newEvents: { one: "{n} nouvel événement", other: "{n} nouveaux événements" },
  showOlder: "Afficher les événements plus anciens",
  comma: ", ",
  overTime: "Événements au fil du temps",
  ofNewest: "Des {count} événements les plus récents",
  hideTable: "Masquer le tableau",
  showTable: "Afficher en tableau",
  time: "Heure",
  bar: "{time} : {counts}",
  none: "aucun événement",
  readingEvents: "Lecture des événements",
  nothingSaved: "Rien n’a été enregistré",
  download: "Télécharger en CSV",
  saved: { one: "Le fichier contient {n} événement.", other: "Le fichier contient {n} événements." },
  savedNewest: {
    one: "Le fichier contient le {n} événement le plus récent ; pour les plus anciens, choisissez une période plus courte.",
    other:
      "Le fichier contient les {n} événements les plus récents ; pour les plus anciens, choisissez une période plus courte.",
  },
};
