import type { Translation } from "../define.js";
import type * as english from "../en/history-page.js";

export const historyPage: Translation<typeof english.historyPage> = {
  about:
    "Qui a modifié les règles, les fournisseurs d’identité, les zones et les origines de confiance, et comment ils étaient avant. Tout peut être restauré.",
  emptyTitle: "Aucune modification pour l’instant",
  empty: "Modifiez une règle : vous retrouverez ici ce qu’elle était avant.",
  list: "Modifications, les plus récentes d’abord",
  readingChanges: "Lecture des modifications",
  moreChanges: "Afficher plus de modifications",
  show: "Afficher",
  hide: "Masquer",
  showRevision: "Afficher la révision {revision}",
  hideRevision: "Masquer la révision {revision}",
  revision: "révision {revision}",
  revisionBy: "Révision {revision} {author}",
  undo: "Annuler",
  undoAnyway: "Annuler quand même",
  undoThis: "Annuler cette modification ?",
  tryThen: "Tester un login avec les règles d’alors",
  bringAll: "Tout restaurer jusqu’ici",
  bringAllAnyway: "Tout restaurer quand même jusqu’ici",
  bringAllAsked: "Tout restaurer dans l’état suivant la révision {revision} ?",
};
