import type { Translation } from "../define.js";
import type * as english from "../en/user-actions.js";

export const userActions: Translation<typeof english.userActions> = {
  title: "Was sich mit dem Benutzer tun lässt",
  activate: "Aktivieren",
  reactivate: "Erneut aktivieren",
  deactivate: "Deaktivieren",
  suspend: "Suspendieren",
  unsuspend: "Suspendierung aufheben",
  unlock: "Entsperren",
  expirePassword: "Passwort ablaufen lassen",
  confirmPassword: "Passwort bestätigen",
  delete: "Löschen",
  done: "{label}: {name}",
  failed: "Der Status wurde nicht geändert",
  askDeactivate: "„{name}“ deaktivieren?",
  aboutDeactivate: "Die Liste zeigt den Benutzer dann nur noch mit einem Filter nach dem Status DEPROVISIONED.",
  aboutLostStatus:
    "Die Liste zeigt den Benutzer dann nur noch mit einem Filter nach dem Status DEPROVISIONED. Der Status {status} geht verloren: Nach erneutem Aktivieren ist der Benutzer ACTIVE.",
  askDelete: "„{name}“ löschen?",
  aboutDelete: "Das lässt sich nicht rückgängig machen. Die Ereignisse des Benutzers bleiben im Systemprotokoll.",
};
