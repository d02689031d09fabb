import type { Translation } from "../define.js";
import type * as english from "../en/user-actions.js";

export const userActions: Translation<typeof english.userActions> = {
  title: "Actions possibles sur l’utilisateur",
  activate: "Activer",
  reactivate: "Réactiver",
  deactivate: "Désactiver",
  suspend: "Suspendre",
  unsuspend: "Lever la suspension",
  unlock: "Déverrouiller",
  expirePassword: "Faire expirer le mot de passe",
  confirmPassword: "Confirmer le mot de passe",
  delete: "Supprimer",
  done: "{label} : {name}",
  failed: "Le statut n’a pas été modifié",
  askDeactivate: "Désactiver « {name} » ?",
  aboutDeactivate: "La liste n’affiche alors plus l’utilisateur, sauf avec un filtre sur le statut DEPROVISIONED.",
  aboutLostStatus:
    "La liste n’affiche alors plus l’utilisateur, sauf avec un filtre sur le statut DEPROVISIONED. Le statut {status} est perdu : une fois réactivé, l’utilisateur est ACTIVE.",
  askDelete: "Supprimer « {name} » ?",
  aboutDelete: "Cette action est irréversible. Les événements de l’utilisateur restent dans le Journal système.",
};
