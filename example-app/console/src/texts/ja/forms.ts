import type { Translation } from "../define.js";
import type * as english from "../en/forms.js";

export const forms: Translation<typeof english.forms> = {
  name: "名前",
  saveAnyway: "それでも保存",
  discardTitle: "入力内容を破棄しますか？",
  notSaved: "まだ保存されていません。",
  goOn: "入力を続ける",
  discard: "破棄",
  restored: "以前の入力内容を復元しました。",
  startOver: "最初からやり直す",
};
