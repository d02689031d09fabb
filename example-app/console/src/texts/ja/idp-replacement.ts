import type { Translation } from "../define.js";
import type * as english from "../en/idp-replacement.js";

export const idpReplacement: Translation<typeof english.idpReplacement> = {
  title: "別のプロバイダーに置き換え",
  choose: "別のプロバイダーを選択",
  noneFound: "この名前のプロバイダーはありません",
  tooMany:
    "{n} 件のルールがここへ振り分けます。コンソールで置き換えられるのは {max} 件までです。それ以上はインポートで置き換えられます。",
  replaceIn: "{n} 件のルールで置き換える",
  incomplete: "一部のルールで置き換えられませんでした",
  anyway: "それでも置き換える",
  question: "{n} 件のルールで「{from}」を「{to}」に置き換えますか？",
  replace: "置き換える",
  isOff: "「{name}」はオフです。ルールではスキップされます。",
  tested: "ログインは、これらのルールのうち最初の {n} 件についてテストされました。",
  done: "{n} 件のルールで「{from}」を「{to}」に置き換えました",
  partlyDone: "{all} 件中 {n} 件のルールで「{from}」を「{to}」に置き換えました",
  more: "ほか {n} 件",
};
