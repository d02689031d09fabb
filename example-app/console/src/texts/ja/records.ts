import type { Translation } from "../define.js";
import type * as english from "../en/records.js";

export const records: Translation<typeof english.records> = {
  save: "保存",
  edit: "編集",
  show: "表示",
  off: "オフ",
  delete: "削除",
  deleteAnyway: "それでも削除",
  aboutDelete: "「履歴」ページから元に戻せます。ルールで使用されている間は削除されません。",
  aboutGone: "削除されたか、アドレスが間違っています。削除されたものは「履歴」ページから復元できます。",
  foldedCase: "大文字と小文字は区別されません。",
  switchAnyway: "それでも切り替える",
  switchItOff: "オフにする",
  mayBeUsed: "使用しているルールがあるかもしれません。このページで読み込める数を超えるルールがあります。",
  usedBy: "有効なルール {n} 件で使用されています：",
  usedByOrMore: "{n} 件以上の有効なルールで使用されています：",
  more: "ほか {n} 件",
  usedByRules: "使用しているルール",
  place: "（順位 {n}）",
  placeOff: "（順位 {n}、オフ）",
  readingRules: "ルールを読み込み中",
  notUsed: "使用しているルールはありません。",
  addRule: "ルールを追加",
  addRuleForIdp: "このプロバイダーのルールを追加",
};
