import type { Translation } from "../define.js";
import type * as english from "../en/field-conflict.js";

export const fieldConflict: Translation<typeof english.fieldConflict> = {
  title: "Quelqu’un d’autre a modifié entre-temps : {what}",
  choose: "Choisissez une valeur pour chaque champ qui diffère. Ce qu’une seule personne a modifié est déjà choisi.",
  theirs: "La valeur actuelle",
  mine: "Votre modification",
  save: "Enregistrer ces valeurs",
  take: "Reprendre la version actuelle ({what})",
  open: "Encore à choisir : {fields}",
  nothing: "rien",
  yes: "oui",
  no: "non",
};
