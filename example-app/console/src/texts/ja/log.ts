import type { Translation } from "../define.js";
import type * as english from "../en/log.js";

export const log: Translation<typeof english.log> = {
  about: "誰が何を変更したか、およびこの組織へのすべてのリクエストを表示します。新しいイベントは自動的に表示されます。",
  live: "ライブ",
  reading: "ログを読み込み中",
  searching: "ログを検索中",
  count: { other: "{n} 件のイベント" },
  countOrMore: "{count} 件以上のイベント",
  noEvents: "イベントはありません",
  noEventsHint:
    "期間を長くするか、すべてを表示してください。ルールをオフにするなどの変更は、1 秒以内にここに表示されます。",
  nothingYet: "まだ見つかっていません",
  searchOn: "検索を続ける",
  newEvents: { other: "{n} 件の新しいイベント" },
  showOlder: "古いイベントを表示",
  comma: "、",
  overTime: "イベントの推移",
  ofNewest: "最新 {count} 件のイベントの内訳",
  hideTable: "表を非表示",
  showTable: "表で表示",
  time: "日時",
  bar: "{time}：{counts}",
  none: "イベントなし",
  readingEvents: "イベントを読み込み中",
  nothingSaved: "何も保存されませんでした",
  download: "CSV をダウンロード",
  saved: { other: "ファイルには {n} 件のイベントが含まれています。" },
  savedNewest: {
    other: "ファイルには最新 {n} 件のイベントが含まれています。それより古いものは、期間を短くして取得してください。",
  },
};
