import type { Translation } from "../define.js";
import type * as english from "../en/history-page.js";

export const historyPage: Translation<typeof english.historyPage> = {
  about:
    "Wer Regeln, Identitätsanbieter, Zonen und vertrauenswürdige Ursprünge geändert hat, und wie sie vorher waren. Alles lässt sich wiederherstellen.",
  emptyTitle: "Noch keine Änderungen",
  empty: "Wird eine Regel geändert, steht hier, wie sie vorher war.",
  list: "Änderungen, die neuesten zuerst",
  readingChanges: "Änderungen werden gelesen",
  moreChanges: "Weitere Änderungen anzeigen",
  show: "Anzeigen",
  hide: "Ausblenden",
  showRevision: "Revision {revision} anzeigen",
  hideRevision: "Revision {revision} ausblenden",
  revision: "Revision {revision}",
  revisionBy: "Revision {revision} {author}",
  undo: "Rückgängig machen",
  undoAnyway: "Trotzdem rückgängig machen",
  undoThis: "Diese Änderung rückgängig machen?",
  tryThen: "Login mit den damaligen Regeln ausprobieren",
  bringAll: "Alles auf diesen Stand zurücksetzen",
  bringAllAnyway: "Trotzdem alles auf diesen Stand zurücksetzen",
  bringAllAsked: "Alles auf den Stand nach Revision {revision} zurücksetzen?",
};
