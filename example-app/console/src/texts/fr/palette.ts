import type { Translation } from "../define.js";
import type * as english from "../en/palette.js";

export const palette: Translation<typeof english.palette> = {
  title: "Trouver une page, un élément ou un login",
  placeholder: "Un nom, ou joe@example.com",
  results: "Résultats",
  found: { one: "{n} trouvé", other: "{n} trouvés" },
  nothing: "Aucun nom ne contient ce texte",
  failed: "Tout n’a pas été parcouru : {reason}",
  tryLogin: "Qui connecte {login} ?",
  pages: "Pages",
};
