import type { Translation } from "../define.js";
import type * as english from "../en/sign-in.js";

export const signIn: Translation<typeof english.signIn> = {
  tab: "Se connecter · Console",
  title: "Se connecter à la console",
  ended: "Votre session est terminée",
  why: "Son jeton a été révoqué ou a expiré, ou personne ne l’a utilisée depuis un moment.",
  command:
    "L’opérateur du serveur affiche, avec cette commande du programme, un lien qui vous connecte une seule fois, dans les dix minutes :",
  token: "Ou collez un jeton d’API de cette organisation",
  tokenNote: "Le serveur le conserve. Les scripts de cette page ne peuvent plus le lire ensuite.",
  signIn: "Se connecter",
};
