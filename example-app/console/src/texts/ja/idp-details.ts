import type { Translation } from "../define.js";
import type * as english from "../en/idp-details.js";

export const idpDetails: Translation<typeof english.idpDetails> = {
  valid: "有効期間：{from} ～ {to}",
  expired: "有効期限が切れています。このプロバイダーの署名はアプリケーションに拒否されます。",
  expiresToday: "24 時間以内に有効期限が切れます。",
  expires: "あと {n} 日で有効期限が切れます。",
  copyFingerprint: "証明書のフィンガープリントをコピー",
  fetched: "プロバイダーのメタデータ",
  refreshed: "更新：{date}",
  failed: "前回の試行は失敗しました：{error}",
  refresh: "今すぐ更新",
  notRefreshed: "メタデータは更新されませんでした",
  unchanged: "「{name}」のメタデータに変更はありません",
  tookOver: "「{name}」の新しいメタデータを取り込みました",
  metadata: "メタデータ",
  noIssuer: "発行者がないため、メタデータはありません。",
  noneOff: "ID プロバイダーがオフの間、メタデータはありません。",
  showMetadata: "メタデータを表示",
  hideMetadata: "メタデータを隠す",
  download: "メタデータをダウンロード",
  copyAddress: "メタデータのアドレスをコピー",
  notRead: "メタデータを読み込めませんでした",
  forOthers: "プロバイダーとアプリケーション向けの情報",
  aboutOthers:
    "サーバーはこのプロバイダーを見つけてユーザーを誘導します。リクエストを送り、レスポンスを受け取るのはアプリケーションです。そのため、プロバイダーには各アプリケーションの名前と応答先アドレスを登録する必要があります。",
  initiate: "ログインを開始するアドレス (initiate_login_uri)",
  webfinger: "アプリケーションが問い合わせる WebFinger",
  rel: "リンクのリレーション (rel)",
  link: "プロバイダーへのリンク",
  off: "オフのため、プロバイダーへのリンクはありません。",
  copy: "コピー：{label}",
  test: "新しいタブでサインオンをテスト",
  testSaml:
    "プロバイダーのページが開きます。アプリケーションが SAML リクエストを送らないため、エラーページになることがあります。",
  testOther:
    "プロバイダーのページが開きます。アプリケーションがリクエストのパラメーターを送らないため、エラーページになることがあります。",
};
