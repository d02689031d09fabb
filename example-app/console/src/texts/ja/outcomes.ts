import type { Translation } from "../define.js";
import type * as english from "../en/outcomes.js";

export const outcomes: Translation<typeof english.outcomes> = {
  noLogin: "ログイン ID なし",
  move: "{name}：{before}{arrow}{after} {by}",
  after: "変更後",
  by: "（ルール：{rule}）",
  which: "テストしたログイン ID",
  stay: "{name}：{rule}",
  oneMoves: "テスト用ログイン ID の行き先が変わります",
  oneStays: "テスト用ログイン ID の行き先は変わりません",
  allStay: "テスト用ログイン ID {all} 件の行き先はすべて変わりません",
  someMove: { other: "テスト用ログイン ID {all} 件のうち {n} 件の行き先が変わります" },
  itself: "{org} 自身",
  thenNext: "、次に ",
};
