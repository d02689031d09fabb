import type { Translation } from "../define.js";
import type * as english from "../en/field-conflict.js";

export const fieldConflict: Translation<typeof english.fieldConflict> = {
  title: "Inzwischen von jemand anderem geändert: {what}",
  choose:
    "Für jedes Feld, das sich unterscheidet, einen Wert wählen. Was nur eine Seite geändert hat, ist schon gewählt.",
  theirs: "Wie es jetzt ist",
  mine: "Wie Sie es geändert haben",
  save: "Diese Werte speichern",
  take: "Jetzigen Stand übernehmen ({what})",
  open: "Noch zu wählen: {fields}",
  nothing: "nichts",
  yes: "ja",
  no: "nein",
};
