import type { Translation } from "../define.js";
import type * as english from "../en/first-run.js";

export const firstRun: Translation<typeof english.firstRun> = {
  title: "はじめの手順",
  away: "閉じる",
  done: "完了：",
  idp: "{link}：サインイン先になります",
  idpLink: "ID プロバイダーを追加",
  rule: "{link}：自分のドメインの全員など、ログインをそこへ振り分けます",
  ruleLink: "ルールを追加",
  tried: "ログインを試す：下に入力します",
  token: "{link}：同僚のサインイン用、またはプログラム用です",
  tokenLink: "API トークンを作成",
};
