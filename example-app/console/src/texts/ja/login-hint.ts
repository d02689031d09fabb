import type { Translation } from "../define.js";
import type * as english from "../en/login-hint.js";

export const loginHint: Translation<typeof english.loginHint> = {
  rules: "そのアカウントがあるかどうかに関係なく、ルールで決まります。",
  domain:
    "ルール「{rule}」は {domain} の全員が対象です。まず joe@{domain}、次に別のドメインのログインを試してください。",
};
