import type { Translation } from "../define.js";
import type * as english from "../en/undo.js";

export const undo: Translation<typeof english.undo> = {
  undo: "元に戻す",
  undoAll: "すべて元に戻す",
  anyway: "それでも元に戻す",
  done: "変更を元に戻しました",
  allDone: "すべての変更を元に戻しました",
  failed: "元に戻せませんでした",
  changedAgain: "この間に再び変更されました。「履歴」ページを確認してください。",
  othersChanged: "この間に別の変更がありました。「履歴」ページを確認してください。",
};
