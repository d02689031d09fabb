import type { Translation } from "../define.js";
import type * as english from "../en/idp-start.js";

export const idpStart: Translation<typeof english.idpStart> = {
  how: "ID プロバイダーの追加方法",
  address: "アドレスから",
  file: "ファイルから",
  byHand: "手動で入力",
  aboutByHand: "名前とサインオンのアドレスが必要です。",
  product: "製品",
  aboutProduct: "その製品に共通するアドレスを入力します。",
  any: "指定なし",
  anyProduct: "製品を指定しない",
  url: "メタデータのアドレス、または発行者",
  aboutUrl:
    "SAML の場合はメタデータ、OpenID Connect の場合は発行者です。サーバーは読み込むだけで、まだ何も保存しません。",
  fillIn: "先に {blank} を入力してください",
  read: "読み込む",
  notRead: "メタデータを読み込めませんでした",
  unusable: "使用できません：{fault}",
  asBoth: "メタデータとして：{asMetadata}、発行者として：{asIssuer}",
  metadataFile: "メタデータファイル",
  aboutFile: "SAML メタデータ (XML) または OpenID 構成 (JSON)。ここにドロップすることもできます。",
  chooseFile: "ファイルを選択",
  noFile: "ファイルなし",
  tooBig: "ファイルが 256 KiB を超えています。1 つのプロバイダーのメタデータはそれより小さいはずです。",
  paste: "またはテキストを貼り付け",
  either: "{saml} または {openId}",
  auth0: "SAML2 Web App アドオンを使うアプリケーションのものです。",
  google:
    "これは OpenID Connect です。SAML の場合は、管理コンソールでメタデータをダウンロードし、「ファイルから」を選んでください。",
  jumpcloud:
    "これは US リージョンの OpenID Connect です。SAML の場合は、アプリケーションのメタデータをエクスポートし、「ファイルから」を選んでください。",
  keycloak: "OpenID Connect の場合は、代わりに {issuer} を入力してください。",
  entra:
    "テナント ID (tenant id) はテナントの概要にあります。OpenID Connect の場合は、代わりに {issuer} を入力してください。",
  okta: "アプリケーションの Sign On ページに Metadata URL として表示されます。",
  onelogin: "アプリケーションの SSO ページに Issuer URL として表示されます。",
  pingone:
    "アプリケーションの Configuration ページに IDP Metadata URL として表示されます。ほかのリージョンでは、ホスト名の末尾が .eu、.ca、.asia、.com.au のいずれかになります。",
};
