import type { Translation } from "../define.js";
import type * as english from "../en/history-page.js";

export const historyPage: Translation<typeof english.historyPage> = {
  about:
    "ルール、ID プロバイダー、ゾーン、信頼済みオリジンを誰が変更したか、以前はどうだったかを確認できます。どの変更からも復元できます。",
  emptyTitle: "変更はまだありません",
  empty: "ルールを変更すると、変更前の内容がここに表示されます。",
  list: "変更（新しい順）",
  readingChanges: "変更を読み込み中",
  moreChanges: "さらに変更を表示",
  show: "表示",
  hide: "非表示",
  showRevision: "リビジョン {revision} を表示",
  hideRevision: "リビジョン {revision} を非表示",
  revision: "リビジョン {revision}",
  revisionBy: "リビジョン {revision}：{author}",
  undo: "元に戻す",
  undoAnyway: "それでも元に戻す",
  undoThis: "この変更を元に戻しますか？",
  tryThen: "この時点のルールでログインを試す",
  bringAll: "すべてをこの時点に復元",
  bringAllAnyway: "それでもすべてをこの時点に復元",
  bringAllAsked: "すべてをリビジョン {revision} の直後の状態に復元しますか？",
};
