import type { Translation } from "../define.js";
import type * as english from "../en/forms.js";

export const forms: Translation<typeof english.forms> = {
  name: "Nom",
  saveAnyway: "Enregistrer quand même",
  discardTitle: "Abandonner votre saisie ?",
  notSaved: "Elle n’est pas enregistrée.",
  goOn: "Continuer la saisie",
  discard: "Abandonner",
  restored: "Votre saisie précédente est de nouveau là.",
  startOver: "Recommencer",
};
