import type { Translation } from "../define.js";
import type * as english from "../en/pages.js";

export const pages: Translation<typeof english.pages> = {
  tryLogin: "ログインを試す",
  rules: "ルーティングルール",
  tests: "ルーティングテスト",
  idps: "ID プロバイダー",
  zones: "ゾーン",
  origins: "信頼済みオリジン",
  users: "ユーザー",
  tokens: "API トークン",
  log: "システムログ",
  history: "履歴",
  transfer: "インポートとエクスポート",
};
