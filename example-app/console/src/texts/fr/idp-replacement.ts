import type { Translation } from "../define.js";
import type * as english from "../en/idp-replacement.js";

export const idpReplacement: Translation<typeof english.idpReplacement> = {
  title: "Remplacer par",
  choose: "Choisir un autre fournisseur",
  noneFound: "Aucun fournisseur n’a ce nom",
  tooMany: "{n} règles y mènent. La console le remplace dans {max} au plus ; un import le remplace dans davantage.",
  replaceIn: { one: "Remplacer dans {n} règle", other: "Remplacer dans {n} règles" },
  incomplete: "Il n’a pas été remplacé dans toutes les règles",
  anyway: "Remplacer quand même",
  question: {
    one: "Remplacer « {from} » par « {to} » dans {n} règle ?",
    other: "Remplacer « {from} » par « {to} » dans {n} règles ?",
  },
  replace: "Remplacer",
  isOff: "« {name} » est désactivé : les règles l’ignorent.",
  tested: "Les logins ont été testés pour les {n} premières de ces règles.",
  done: {
    one: "« {from} » remplacé par « {to} » dans {n} règle",
    other: "« {from} » remplacé par « {to} » dans {n} règles",
  },
  partlyDone: {
    one: "« {from} » remplacé par « {to} » dans {n} règle sur {all}",
    other: "« {from} » remplacé par « {to} » dans {n} règles sur {all}",
  },
  more: { one: "et {n} autre", other: "et {n} autres" },
};
