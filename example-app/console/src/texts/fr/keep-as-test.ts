import type { Translation } from "../define.js";
import type * as english from "../en/keep-as-test.js";

export const keepAsTest: Translation<typeof english.keepAsTest> = {
  keep: "Garder comme test",
  notKept: "Le test n’a pas été gardé",
  kept: "Il fait maintenant partie des {link}.",
  tests: "tests de routage",
};
