import type { Translation } from "../define.js";
import type * as english from "../en/users.js";

export const users: Translation<typeof english.users> = {
  about: "Die Personen dieser Organisation. Routing-Regeln können Attribute der Person abfragen, die sich anmeldet.",
  create: "Benutzer erstellen",
  how: "Wie Benutzer gefunden werden",
  q: "Wörter",
  filter: "Filter",
  search: "Suche",
  byName: "Login, E-Mail, Vor- oder Nachname",
  byFilter: "Nach genauen Werten filtern",
  bySearch: "Alle Attribute durchsuchen",
  examples: "Beispiele",
  order: "Reihenfolge",
  usual: "Übliche Reihenfolge",
  newest: "Neueste zuerst",
  lastChanged: "Zuletzt geändert",
  status: "Status",
  login: "Login",
  email: "E-Mail",
  firstName: "Vorname",
  lastName: "Nachname",
  reading: "Benutzer werden gelesen",
  count: { one: "{n} Benutzer", other: "{n} Benutzer" },
  countMore: { one: "mehr als {n} Benutzer", other: "mehr als {n} Benutzer" },
  countAtLeast: { one: "mindestens {n} Benutzer", other: "mindestens {n} Benutzer" },
  found: "Gefundene Benutzer",
  nothingYet: "Bisher nichts gefunden",
  searchOn: "Weitersuchen",
  noMatch: "Kein passender Benutzer",
  aboutNoMatch:
    "Ein Filter unterscheidet Groß- und Kleinschreibung. Deaktivierte Benutzer findet nur ein Filter oder eine Suche nach ihrem Status.",
  none: "Noch keine Benutzer",
  aboutNone:
    "Regeln zu Logins, Adressen und Geräten brauchen keine. Benutzer sind für Regeln zu Attributen da, etwa zur Abteilung.",
};
