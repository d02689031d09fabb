import type { Translation } from "../define.js";
import type * as english from "../en/sign-in.js";

export const signIn: Translation<typeof english.signIn> = {
  tab: "サインイン · コンソール",
  title: "コンソールにサインイン",
  ended: "セッションが終了しました",
  why: "トークンが取り消されたか期限切れになったか、しばらく使用されませんでした。",
  command:
    "サーバーの運用者は、プログラムの次のコマンドでサインイン用のリンクを表示できます。リンクは 10 分以内に 1 回だけ使えます。",
  token: "または、この組織の API トークンを貼り付ける",
  tokenNote: "トークンはサーバーが保持します。このページのスクリプトは後から読み取れません。",
  signIn: "サインイン",
};
