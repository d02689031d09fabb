import { defineTexts } from "../define.js";

/** What forms say of a rule as they do of other records. */
export const ruleRecord = defineTexts("ruleRecord", {
  gone: "This rule is not there",
  noChange: "The history has no change of this rule.",
  version: "the rule of {date}",
  bringBack: "Bring back the rule as it was then?",
});
