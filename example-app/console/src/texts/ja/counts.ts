import type { Translation } from "../define.js";
import type * as english from "../en/counts.js";

export const counts: Translation<typeof english.counts> = {
  none: "90 日間ログインなし",
  some: "ログイン：24 時間で {day} 件、7 日間で {week} 件、30 日間で {month} 件",
};
