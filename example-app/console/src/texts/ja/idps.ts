import type { Translation } from "../define.js";
import type * as english from "../en/idps.js";

export const idps: Translation<typeof english.idps> = {
  about: "ユーザーがサインインする先です。ルールがログインごとに 1 つを選びます。オフのものはスキップされます。",
  empty:
    "最初の 1 つを、メタデータのアドレスかファイルから、または手動で追加してください。次に、そこへ振り分けるルールを追加します。",
  name: "名前",
  type: "種類",
  typeFixed: "変更できません。",
  protocolType: "プロトコル",
  where: "サインインする場所",
  url: "サインオンのアドレス",
  binding: "バインディング",
  aboutBinding: "ブラウザーがそこへリクエストを送る方法です。",
  metadataUrl: "メタデータのアドレス",
  aboutMetadataUrl:
    "プロバイダーが公開している場合に入力します。サーバーがサインオンのアドレスと証明書を最新に保ちます。発行者の入力が必要です。",
  trust: "信頼の設定",
  issuer: "発行者",
  aboutIssuer: "エンティティ ID です。これがないと、メタデータはありません。",
  audience: "オーディエンス",
  certificate: "証明書",
  aboutCertificate: "PEM 形式です。秘密鍵は入力しないでください。",
  clientId: "クライアント ID",
  isOn: "ID プロバイダーをオンにする",
  mayLead: "プロバイダーを名前で探すルールも、ここへ振り分けることがあります。",
};
