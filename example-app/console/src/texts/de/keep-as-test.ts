import type { Translation } from "../define.js";
import type * as english from "../en/keep-as-test.js";

export const keepAsTest: Translation<typeof english.keepAsTest> = {
  keep: "Als Test behalten",
  notKept: "Der Test wurde nicht gespeichert",
  kept: "Das ist jetzt einer der {link}.",
  tests: "Routing-Tests",
};
