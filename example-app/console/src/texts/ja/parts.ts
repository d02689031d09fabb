import type { Translation } from "../define.js";
import type * as english from "../en/parts.js";

export const parts: Translation<typeof english.parts> = {
  copy: "コピー",
  copied: "コピーしました",
  copyRequestId: "リクエスト ID をコピー",
  close: "閉じる",
  closeMessage: "メッセージを閉じる",
  cancel: "キャンセル",
  tryAgain: "再試行",
  never: "なし",
  dayAndTime: "{day} {time}",
  sentence: "{text}。",
  comma: "、",
  androidPhone: "Android スマートフォン",
  whatIs: "「{term}」とは",
};
