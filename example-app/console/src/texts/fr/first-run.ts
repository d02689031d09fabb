import type { Translation } from "../define.js";
import type * as english from "../en/first-run.js";

export const firstRun: Translation<typeof english.firstRun> = {
  title: "Premiers pas",
  away: "Masquer",
  done: "Fait : ",
  idp: "{link} : c’est là que l’on se connecte",
  idpLink: "Ajouter un fournisseur d’identité",
  rule: "{link} qui y mène des logins, par exemple tous ceux de votre domaine",
  ruleLink: "Ajouter une règle",
  tried: "Tester un login : saisissez-en un ci-dessous",
  token: "{link} pour un collègue, qui se connecte ici avec, ou pour un programme",
  tokenLink: "Créer un jeton d’API",
};
