import type { Translation } from "../define.js";
import type * as english from "../en/rule-record.js";

export const ruleRecord: Translation<typeof english.ruleRecord> = {
  gone: "このルールはありません",
  noChange: "このルールの変更は履歴にありません。",
  version: "{date} 時点のルール",
  bringBack: "ルールをこの時点の状態に復元しますか？",
};
