import type { Translation } from "../define.js";
import type * as english from "../en/shell.js";

export const shell: Translation<typeof english.shell> = {
  skip: "本文へ移動",
  pages: "ページ",
  loading: "読み込み中",
  signedInWith: "トークン「{name}」でサインイン中",
  signOut: "サインアウト",
  stillSignedIn: "サインアウトできませんでした",
  settings: "設定とヘルプ",
  notFound: "このページはありません",
  console: "コンソール",
  starting: "読み込み中…",
  outage: "{problem}自動的に再試行します。",
  outageSince: "{problem}表示内容は {time} 時点のものです。自動的に再試行します。",
};
