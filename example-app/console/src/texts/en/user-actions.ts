import { defineTexts } from "../define.js";

/** What can be done with a user. */
export const userActions = defineTexts("userActions", {
  title: "What can be done with the user",
  activate: "Activate",
  reactivate: "Reactivate",
  deactivate: "Deactivate",
  suspend: "Suspend",
  unsuspend: "Unsuspend",
  unlock: "Unlock",
  expirePassword: "Expire password",
  confirmPassword: "Confirm password",
  delete: "Delete",
  done: "{label}: {name}",
  failed: "The status was not changed",
  askDeactivate: "Deactivate {name}?",
  aboutDeactivate: "The list leaves the user out, except with a filter on the status DEPROVISIONED.",
  aboutLostStatus:
    "The list leaves the user out, except with a filter on the status DEPROVISIONED. The status {status} is lost: who is activated again is ACTIVE.",
  askDelete: "Delete {name}?",
  aboutDelete: "This can't be undone. The events of the user stay in the System Log.",
});
