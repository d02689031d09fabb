import type { Translation } from "../define.js";
import type * as english from "../en/users.js";

export const users: Translation<typeof english.users> = {
  about: "この組織のユーザーです。ルーティングルールでは、サインインするユーザーの属性を条件にできます。",
  create: "ユーザーを作成",
  how: "ユーザーの検索方法",
  q: "単語",
  filter: "フィルター",
  search: "検索",
  byName: "ログイン ID、メールアドレス、名、または姓",
  byFilter: "正確な値でフィルター",
  bySearch: "すべての属性を検索",
  examples: "例",
  order: "並べ替え",
  usual: "標準の順序",
  newest: "作成が新しい順",
  lastChanged: "変更が新しい順",
  status: "ステータス",
  login: "ログイン ID",
  email: "メールアドレス",
  firstName: "名",
  lastName: "姓",
  reading: "ユーザーを読み込み中",
  count: "ユーザー {n} 人",
  countMore: { other: "{n} 人を超えるユーザー" },
  countAtLeast: { other: "{n} 人以上のユーザー" },
  found: "見つかったユーザー",
  nothingYet: "まだ見つかっていません",
  searchOn: "検索を続ける",
  noMatch: "該当するユーザーはいません",
  aboutNoMatch:
    "フィルターでは大文字と小文字が区別されます。無効化されたユーザーは、ステータスのフィルターまたは検索でのみ見つかります。",
  none: "ユーザーはまだいません",
  aboutNone:
    "ログイン、アドレス、デバイスに関するルールには必要ありません。ユーザーは、部署などの属性に関するルールで使います。",
};
