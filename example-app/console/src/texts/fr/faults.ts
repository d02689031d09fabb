import type { Translation } from "../define.js";
import type * as english from "../en/faults.js";

export const faults: Translation<typeof english.faults> = {
  unreachable: "Le serveur est injoignable : vérifiez la connexion.",
  responded: "Le serveur a répondu {status}.",
  noPolicy: "L’organisation n’a pas de politique de découverte.",
  gone: "Cet élément n’existe plus : quelqu’un l’a supprimé.",
  tooMany: "Il y a eu trop de requêtes. Réessayez dans un instant.",
  notNow: "Le serveur ne peut pas le faire maintenant. Réessayez dans un instant.",
  notLoaded: "Une partie de la console n’a pas pu être chargée : vérifiez la connexion.",
};
