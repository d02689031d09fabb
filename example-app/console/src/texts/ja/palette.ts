import type { Translation } from "../define.js";
import type * as english from "../en/palette.js";

export const palette: Translation<typeof english.palette> = {
  title: "ページ、項目、ログイン ID を探す",
  placeholder: "名前、または joe@example.com",
  results: "検索結果",
  found: { other: "{n} 件見つかりました" },
  nothing: "この文字を名前に含むものはありません",
  failed: "一部は検索できませんでした：{reason}",
  tryLogin: "{login} をサインインさせるのは？",
  pages: "ページ",
};
