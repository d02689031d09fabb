import type { Translation } from "../define.js";
import type * as english from "../en/try-login.js";

export const tryLogin: Translation<typeof english.tryLogin> = {
  about:
    "ログイン ID を入力すると、どの ID プロバイダーでサインインするか、どのルールで決まるかを確認できます。何も変更されず、サインインも行われません。",
  login: "ログイン ID",
  address: "アクセス元アドレス",
  device: "使用デバイス",
  yourOwn: "自分のアドレス",
  yours: "自分のデバイス",
  ownDevice: "自分のデバイス",
  rulesOf: "ルールの時点",
  emptyForNow: "空欄の場合は現在です。",
  revision: "リビジョン {revision}",
  rulesOfNow: "現在のルールを使用",
  triedLast: "最近試したもの",
  asking: "問い合わせ中",
  begin: "ログイン ID を入力してください",
};
