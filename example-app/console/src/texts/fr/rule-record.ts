import type { Translation } from "../define.js";
import type * as english from "../en/rule-record.js";

export const ruleRecord: Translation<typeof english.ruleRecord> = {
  gone: "Cette règle n’existe pas",
  noChange: "L’historique ne contient aucune modification de cette règle.",
  version: "la règle du {date}",
  bringBack: "Restaurer la règle dans son état d’alors ?",
};
