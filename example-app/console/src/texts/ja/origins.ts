import type { Translation } from "../define.js";
import type * as english from "../en/origins.js";

export const origins: Translation<typeof english.origins> = {
  about: "この組織の API を呼び出せるサイト、またはサインイン後の戻り先にできるサイトです。",
  empty: "https://portal.example.com など、自社サイトのオリジンを追加してください。",
  name: "名前",
  origin: "オリジン",
  aboutOrigin: "ブラウザーが送信する形式で入力します：スキーム、ホスト、標準以外の場合はポート。パスは含めません。",
  scopes: "許可すること",
  isOn: "オリジンをオンにする",
  CORS: "API の呼び出し",
  aboutCORS: "このオリジンのページが、トークンを使ってブラウザーから API を利用できます（CORS）。",
  REDIRECT: "サインイン後の戻り先",
  aboutREDIRECT: "サインイン後に、このオリジンのページへ戻れます。",
  mayCORS: "{origin} · API の呼び出し",
  mayREDIRECT: "{origin} · サインイン後の戻り先",
  mayBoth: "{origin} · API の呼び出し、サインイン後の戻り先",
};
