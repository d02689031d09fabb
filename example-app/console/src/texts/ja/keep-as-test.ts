import type { Translation } from "../define.js";
import type * as english from "../en/keep-as-test.js";

export const keepAsTest: Translation<typeof english.keepAsTest> = {
  keep: "テストとして保存",
  notKept: "テストを保存できませんでした",
  kept: "{link}に追加されました。",
  tests: "ルーティングテスト",
};
