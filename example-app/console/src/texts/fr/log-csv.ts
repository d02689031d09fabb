import type { Translation } from "../define.js";
import type * as english from "../en/log-csv.js";

export const logCsv: Translation<typeof english.logCsv> = {
  time: "heure",
  severity: "gravité",
  type: "type",
  sentence: "phrase",
  actor: "acteur",
  actorId: "id de l’acteur",
  targets: "cibles",
  address: "adresse",
  outcome: "résultat",
  reason: "raison",
  requestId: "id de la requête",
};
