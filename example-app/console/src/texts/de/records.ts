import type { Translation } from "../define.js";
import type * as english from "../en/records.js";

export const records: Translation<typeof english.records> = {
  save: "Speichern",
  edit: "Bearbeiten",
  show: "Anzeigen",
  off: "Aus",
  delete: "Löschen",
  deleteAnyway: "Trotzdem löschen",
  aboutDelete:
    "Auf der Seite „Verlauf“ lässt sich das rückgängig machen. Solange Regeln darauf verweisen, wird nichts gelöscht.",
  aboutGone:
    "Entweder wurde der Eintrag gelöscht, oder die Adresse ist falsch. Gelöschtes lässt sich auf der Seite „Verlauf“ wiederherstellen.",
  foldedCase: "Groß- und Kleinschreibung spielen keine Rolle.",
  switchAnyway: "Trotzdem umschalten",
  switchItOff: "Ausschalten",
  mayBeUsed: "Möglicherweise wird das von Regeln verwendet: Es gibt mehr, als diese Seite liest.",
  usedBy: { one: "{n} aktive Regel verwendet das:", other: "{n} aktive Regeln verwenden das:" },
  usedByOrMore: "{n} oder mehr aktive Regeln verwenden das:",
  more: "und {n} weitere",
  usedByRules: "Von diesen Regeln verwendet",
  place: "(Position {n})",
  placeOff: "(Position {n}, aus)",
  readingRules: "Regeln werden gelesen",
  notUsed: "Keine Regel verwendet das.",
  addRule: "Regel hinzufügen",
  addRuleForIdp: "Regel für diesen Anbieter hinzufügen",
};
