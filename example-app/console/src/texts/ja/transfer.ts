import type { Translation } from "../define.js";
import type * as english from "../en/transfer.js";

export const transfer: Translation<typeof english.transfer> = {
  about: "この組織のレコードをファイルから取り込むか、ファイルに書き出します。",
  mayNotExport: "このトークンではエクスポートできません",
  neededScopes: "ポリシー、ID プロバイダー、ゾーン、信頼済みオリジン、ユーザーを読み取るスコープが必要です。",
  export: "エクスポート",
  exportAbout:
    "ID プロバイダー、ゾーン、信頼済みオリジン、ルール、ユーザーのファイルです。トークンとログは含まれません。",
  withUsers: "ユーザーを含める",
  personal: "個人データです。ファイルは安全に保管してください。",
  exportNow: "エクスポート",
  exporting: "エクスポート中",
  exportFailed: "エクスポートできませんでした",
  exportCancelled: "キャンセルしました。",
  exported: "{name} のサイズは {bytes} バイトです。",
  workingFor: { other: "{what} （{n} 秒経過）" },
};
