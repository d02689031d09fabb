import type { Translation } from "../define.js";
import type * as english from "../en/undo.js";

export const undo: Translation<typeof english.undo> = {
  undo: "Rückgängig machen",
  undoAll: "Alle rückgängig machen",
  anyway: "Trotzdem rückgängig machen",
  done: "Die Änderung wurde rückgängig gemacht",
  allDone: "Die Änderungen wurden rückgängig gemacht",
  failed: "Es wurde nichts rückgängig gemacht",
  changedAgain: "Es wurde inzwischen erneut geändert: siehe die Seite „Verlauf“.",
  othersChanged: "Inzwischen wurde erneut etwas geändert: siehe die Seite „Verlauf“.",
};
