import type { Translation } from "../define.js";
import type * as english from "../en/parts.js";

export const parts: Translation<typeof english.parts> = {
  copy: "Copier",
  copied: "Copié",
  copyRequestId: "Copier l’identifiant de la requête",
  close: "Fermer",
  closeMessage: "Fermer le message",
  cancel: "Annuler",
  tryAgain: "Réessayer",
  never: "jamais",
  dayAndTime: "{day}, {time}",
  sentence: "{text}.",
  comma: ", ",
  androidPhone: "Téléphone Android",
  whatIs: "Que signifie « {term} » ?",
};
