import type { Translation } from "../define.js";
import type * as english from "../en/settings-menu.js";

export const settingsMenu: Translation<typeof english.settingsMenu> = {
  colours: "配色",
  asSystem: "システムに合わせる",
  light: "ライト",
  dark: "ダーク",
  language: "言語",
  asBrowser: "ブラウザーに合わせる",
  apiDocs: "API のドキュメント",
  version: "バージョン {version}",
};
