import type { Translation } from "../define.js";
import type * as english from "../en/palette.js";

export const palette: Translation<typeof english.palette> = {
  title: "Seite, Eintrag oder Login finden",
  placeholder: "Ein Name oder joe@example.com",
  results: "Gefunden",
  found: { one: "{n} gefunden", other: "{n} gefunden" },
  nothing: "Nichts hat das im Namen",
  failed: "Nicht alles wurde durchsucht: {reason}",
  tryLogin: "Wer meldet {login} an?",
  pages: "Seiten",
};
