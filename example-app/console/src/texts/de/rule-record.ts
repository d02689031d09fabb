import type { Translation } from "../define.js";
import type * as english from "../en/rule-record.js";

export const ruleRecord: Translation<typeof english.ruleRecord> = {
  gone: "Diese Regel gibt es nicht",
  noChange: "Der Verlauf enthält keine Änderung an dieser Regel.",
  version: "Regel vom {date}",
  bringBack: "Regel auf den damaligen Stand zurücksetzen?",
};
