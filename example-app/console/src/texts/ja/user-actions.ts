import type { Translation } from "../define.js";
import type * as english from "../en/user-actions.js";

export const userActions: Translation<typeof english.userActions> = {
  title: "ユーザーに対する操作",
  activate: "有効化",
  reactivate: "再有効化",
  deactivate: "無効化",
  suspend: "一時停止",
  unsuspend: "一時停止を解除",
  unlock: "ロックを解除",
  expirePassword: "パスワードを期限切れにする",
  confirmPassword: "パスワードを確認",
  delete: "削除",
  done: "{label}：{name}",
  failed: "ステータスは変更されませんでした",
  askDeactivate: "「{name}」を無効化しますか？",
  aboutDeactivate: "ステータス DEPROVISIONED でフィルターしない限り、一覧に表示されなくなります。",
  aboutLostStatus:
    "ステータス DEPROVISIONED でフィルターしない限り、一覧に表示されなくなります。現在のステータス {status} は失われ、再び有効化すると ACTIVE になります。",
  askDelete: "「{name}」を削除しますか？",
  aboutDelete: "この操作は元に戻せません。ユーザーのイベントはシステムログに残ります。",
};
