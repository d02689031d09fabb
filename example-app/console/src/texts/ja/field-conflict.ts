import type { Translation } from "../define.js";
import type * as english from "../en/field-conflict.js";

export const fieldConflict: Translation<typeof english.fieldConflict> = {
  title: "他の人がこの間にこの{what}を変更しました",
  choose: "値が異なる項目ごとに値を選んでください。片方だけが変更した項目は選択済みです。",
  theirs: "現在の値",
  mine: "自分が変更した値",
  save: "これらの値を保存",
  take: "現在の{what}を採用",
  open: "未選択：{fields}",
  nothing: "なし",
  yes: "はい",
  no: "いいえ",
};
