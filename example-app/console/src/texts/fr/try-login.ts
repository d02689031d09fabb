import type { Translation } from "../define.js";
import type * as english from "../en/try-login.js";

export const tryLogin: Translation<typeof english.tryLogin> = {
  about:
    "Saisissez un login pour voir qui authentifie cette personne et quelle règle en décide. Rien n’est modifié et personne n’est connecté.",
  login: "Login",
  address: "Depuis l’adresse",
  device: "Avec l’appareil",
  yourOwn: "la vôtre",
  yours: "le vôtre",
  ownDevice: "Votre appareil",
  rulesOf: "Avec les règles du",
  emptyForNow: "Vide pour maintenant.",
  revision: "Révision {revision}",
  rulesOfNow: "Utiliser les règles actuelles",
  triedLast: "Derniers essais",
  asking: "Interrogation en cours",
  begin: "Saisissez un login pour commencer",
};
