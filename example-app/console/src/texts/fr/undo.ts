import type { Translation } from "../define.js";
import type * as english from "../en/undo.js";

export const undo: Translation<typeof english.undo> = {
  undo: "Annuler",
  undoAll: "Tout annuler",
  anyway: "Annuler quand même",
  done: "La modification a été annulée",
  allDone: "Les modifications ont été annulées",
  failed: "Rien n’a été annulé",
  changedAgain: "Cet élément a encore été modifié entre-temps : voir la page « Historique ».",
  othersChanged: "Quelque chose a encore été modifié entre-temps : voir la page « Historique ».",
};
