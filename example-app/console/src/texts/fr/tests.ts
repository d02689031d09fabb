import type { Translation } from "../define.js";
import type * as english from "../en/tests.js";

export const tests: Translation<typeof english.tests> = {
  about:
    "Le fournisseur que certains logins doivent obtenir. Une modification qui fait échouer un test est refusée, sauf si vous la faites quand même.",
  running: "Exécution des tests",
  emptyTitle: "Aucun test pour l’instant",
  empty: "{link}, puis gardez le résultat comme test.",
  tryLogin: "Testez un login",
  list: "Tests, ceux qui échouent d’abord",
  onePasses: "1 test, qui réussit",
  oneFails: "1 test, qui échoue",
  noneFails: "{n} tests, aucun n’échoue",
  someFail: { one: "{count} tests, dont {n} échoue", other: "{count} tests, dont {n} échouent" },
  mustGo: "{login} doit mener à {wanted}.",
  mustGoFrom: "{login} depuis {place} doit mener à {wanted}.",
  goes: "{login} doit mener à {wanted}. C’est le cas.",
  goesFrom: "{login} depuis {place} doit mener à {wanted}. C’est le cas.",
  itself: "l’organisation {org} elle-même",
  gone: "un fournisseur qui n’existe plus",
  ofRule: "le fournisseur de sa règle",
  andOfRule: "{provider}, le fournisseur de sa règle",
  got: "Il mène à {provider}, par la règle « {rule} ».",
  noZone: "Sa zone n’existe plus ou n’a pas de passerelle.",
  try: "Tester",
  tryNamed: "Tester le login de « {name} »",
  delete: "Supprimer",
  deleteNamed: "Supprimer le test « {name} »",
  deleteAsked: "Supprimer le test « {name} » ?",
  deleteTest: "Supprimer le test",
  notDeleted: "Le test n’a pas été supprimé",
  final: "Cette action est irréversible.",
};
