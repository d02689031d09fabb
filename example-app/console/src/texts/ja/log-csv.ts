import type { Translation } from "../define.js";
import type * as english from "../en/log-csv.js";

export const logCsv: Translation<typeof english.logCsv> = {
  time: "日時",
  severity: "重大度",
  type: "種類",
  sentence: "内容",
  actor: "実行者",
  actorId: "実行者 ID",
  targets: "対象",
  address: "アドレス",
  outcome: "結果",
  reason: "理由",
  requestId: "リクエスト ID",
};
