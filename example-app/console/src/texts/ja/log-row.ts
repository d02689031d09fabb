import type { Translation } from "../define.js";
import type * as english from "../en/log-row.js";

export const logRow: Translation<typeof english.logRow> = {
  why: "理由",
  whyOf: "理由：イベント「{event}」（{date}）",
  show: "表示",
  showOf: "イベント「{event}」（{date}）を表示",
  hide: "非表示",
  hideOf: "イベント「{event}」（{date}）を非表示",
  facts: "{type}・実行者 {actor}",
  factsFrom: "{type}・実行者 {actor}・アドレス {address}",
  factsAbout: "{type}・実行者 {actor}・対象 {targets}",
  factsFromAbout: "{type}・実行者 {actor}・アドレス {address}・対象 {targets}",
  onlyType: "種類が「{name}」のイベントのみ",
  onlyBy: "実行者が「{name}」のイベントのみ",
  onlyFrom: "アドレスが「{name}」のイベントのみ",
  onlyAbout: "対象が「{name}」のイベントのみ",
  comma: "、",
  readingChanges: "変更を読み込み中",
  requestId: "リクエスト ID",
  copyRequestId: "リクエスト ID をコピー",
  ofRequest: "このリクエストの全イベント",
  became: "から次に変更：",
  fieldsAndMore: { other: "{fields}、ほか {n} 件" },
  removed: "削除",
  none: "なし",
};
