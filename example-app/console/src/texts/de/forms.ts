import type { Translation } from "../define.js";
import type * as english from "../en/forms.js";

export const forms: Translation<typeof english.forms> = {
  name: "Name",
  saveAnyway: "Trotzdem speichern",
  discardTitle: "Eingaben verwerfen?",
  notSaved: "Sie sind nicht gespeichert.",
  goOn: "Weiter bearbeiten",
  discard: "Verwerfen",
  restored: "Die früheren Eingaben sind wieder da.",
  startOver: "Neu beginnen",
};
