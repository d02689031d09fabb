import type { Translation } from "../define.js";
import type * as english from "../en/tests.js";

export const tests: Translation<typeof english.tests> = {
  about:
    "Zu welchem Anbieter bestimmte Logins führen müssen. Eine Änderung, nach der ein Test fehlschlägt, wird abgelehnt, außer sie wird trotzdem vorgenommen.",
  running: "Tests laufen",
  emptyTitle: "Noch keine Tests",
  empty: "{link} und das Ergebnis als Test behalten.",
  tryLogin: "Einen Login ausprobieren",
  list: "Tests, fehlschlagende zuerst",
  onePasses: "1 Test, der besteht",
  oneFails: "1 Test, der fehlschlägt",
  noneFails: "{n} Tests, keiner schlägt fehl",
  someFail: { one: "{count} Tests, {n} davon schlägt fehl", other: "{count} Tests, {n} davon schlagen fehl" },
  mustGo: "{login} muss zu {wanted} führen.",
  mustGoFrom: "{login} von {place} muss zu {wanted} führen.",
  goes: "{login} muss zu {wanted} führen. Das ist der Fall.",
  goesFrom: "{login} von {place} muss zu {wanted} führen. Das ist der Fall.",
  itself: "{org} selbst",
  gone: "einem nicht mehr vorhandenen Anbieter",
  ofRule: "dem Anbieter der Regel",
  andOfRule: "{provider}, dem Anbieter der Regel,",
  got: "Der Login führt durch die Regel „{rule}“ zu {provider}.",
  noZone: "Die Zone des Tests gibt es nicht mehr, oder sie hat kein Gateway.",
  try: "Testen",
  tryNamed: "Login von „{name}“ ausprobieren",
  delete: "Löschen",
  deleteNamed: "Test „{name}“ löschen",
  deleteAsked: "Test „{name}“ löschen?",
  deleteTest: "Test löschen",
  notDeleted: "Der Test wurde nicht gelöscht",
  final: "Das lässt sich nicht rückgängig machen.",
};
