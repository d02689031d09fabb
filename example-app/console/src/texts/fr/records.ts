import type { Translation } from "../define.js";
import type * as english from "../en/records.js";

export const records: Translation<typeof english.records> = {
  save: "Enregistrer",
  edit: "Modifier",
  show: "Afficher",
  off: "Désactivé",
  delete: "Supprimer",
  deleteAnyway: "Supprimer quand même",
  aboutDelete:
    "La page « Historique » permet de revenir en arrière. Rien n’est supprimé tant que des règles s’en servent.",
  aboutGone:
    "L’élément a été supprimé ou l’adresse est incorrecte. La page « Historique » permet de restaurer ce qui a été supprimé.",
  foldedCase: "Les majuscules et les minuscules sont équivalentes.",
  switchAnyway: "Changer quand même",
  switchItOff: "Désactiver",
  mayBeUsed: "Des règles s’en servent peut-être : il y en a plus que cette page n’en lit.",
  usedBy: { one: "{n} règle active s’en sert :", other: "{n} règles actives s’en servent :" },
  usedByOrMore: { one: "{n} règle active ou plus s’en sert :", other: "{n} règles actives ou plus s’en servent :" },
  more: "et {n} de plus",
  usedByRules: "Utilisé par ces règles",
  place: "(position {n})",
  placeOff: "(position {n}, désactivée)",
  readingRules: "Lecture des règles",
  notUsed: "Aucune règle ne s’en sert.",
  addRule: "Ajouter une règle",
  addRuleForIdp: "Ajouter une règle pour ce fournisseur",
};
