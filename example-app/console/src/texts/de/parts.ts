import type { Translation } from "../define.js";
import type * as english from "../en/parts.js";

export const parts: Translation<typeof english.parts> = {
  copy: "Kopieren",
  copied: "Kopiert",
  copyRequestId: "ID der Anfrage kopieren",
  close: "Schließen",
  closeMessage: "Meldung schließen",
  cancel: "Abbrechen",
  tryAgain: "Erneut versuchen",
  never: "nie",
  dayAndTime: "{day}, {time}",
  sentence: "{text}.",
  comma: ", ",
  androidPhone: "Android-Telefon",
  whatIs: "Was bedeutet „{term}“?",
};
