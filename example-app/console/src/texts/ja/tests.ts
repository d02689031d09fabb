import type { Translation } from "../define.js";
import type * as english from "../en/tests.js";

export const tests: Translation<typeof english.tests> = {
  about:
    "特定のログインがどのプロバイダーに振り分けられるべきかを定めます。テストが失敗する変更は、強制しない限り拒否されます。",
  running: "テストを実行中",
  emptyTitle: "テストはまだありません",
  empty: "{link}、結果をテストとして保存してください。",
  tryLogin: "ログインを試し",
  list: "テスト（失敗したものが先）",
  onePasses: "テスト 1 件：成功",
  oneFails: "テスト 1 件：失敗",
  noneFails: "テスト {n} 件：失敗なし",
  someFail: "テスト {count} 件：うち {n} 件が失敗",
  mustGo: "{login} は {wanted} に振り分けられる必要があります。",
  mustGoFrom: "{place} からの {login} は {wanted} に振り分けられる必要があります。",
  goes: "{login} は {wanted} に振り分けられる必要があります。そのとおりです。",
  goesFrom: "{place} からの {login} は {wanted} に振り分けられる必要があります。そのとおりです。",
  itself: "{org} 自身",
  gone: "存在しなくなったプロバイダー",
  ofRule: "ルールのプロバイダー",
  andOfRule: "ルールのプロバイダーである {provider}",
  got: "ルール「{rule}」により {provider} に振り分けられます。",
  noZone: "テストのゾーンがなくなったか、ゲートウェイがありません。",
  try: "試す",
  tryNamed: "「{name}」のログインを試す",
  delete: "削除",
  deleteNamed: "テスト「{name}」を削除",
  deleteAsked: "テスト「{name}」を削除しますか？",
  deleteTest: "テストを削除",
  notDeleted: "テストを削除できませんでした",
  final: "この操作は元に戻せません。",
};
