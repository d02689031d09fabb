import { defineTexts } from "../define.js";

/** A login that was tried becomes a routing test. */
export const keepAsTest = defineTexts("keepAsTest", {
  keep: "Keep as a test",
  notKept: "The test was not kept",
  kept: "It is one of the {link} now.",
  tests: "routing tests",
});
