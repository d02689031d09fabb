import type { Translation } from "../define.js";
import type * as english from "../en/faults.js";

export const faults: Translation<typeof english.faults> = {
  unreachable: "サーバーに接続できません。接続を確認してください。",
  responded: "サーバーの応答は {status} でした。",
  noPolicy: "この組織にはディスカバリーポリシーがありません。",
  gone: "これはもうありません。誰かが削除しました。",
  tooMany: "リクエストが多すぎます。しばらくしてから再試行してください。",
  notNow: "サーバーは今これを実行できません。しばらくしてから再試行してください。",
  notLoaded: "コンソールの一部を読み込めませんでした。接続を確認してください。",
};
