import { defineTexts } from "../define.js";

/** What every form has. */
export const forms = defineTexts("forms", {
  name: "Name",
  saveAnyway: "Save anyway",
  discardTitle: "Discard what you wrote?",
  notSaved: "It is not saved.",
  goOn: "Go on writing",
  discard: "Discard it",
  restored: "What you wrote before is here again.",
  startOver: "Start over",
});
