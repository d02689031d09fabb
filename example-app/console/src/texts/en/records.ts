import { defineTexts } from "../define.js";

/** The lists, forms and switches of records. What names the kind of a record is in a room for each kind. */
export const records = defineTexts("records", {
  save: "Save",
  edit: "Edit",
  show: "Show",
  off: "Off",
  delete: "Delete",
  deleteAnyway: "Delete anyway",
  aboutDelete: "The page History can bring it back. Nothing is deleted while rules use it.",
  aboutGone: "It was deleted, or the address is wrong. The page History can bring back what was deleted.",
  foldedCase: "Upper and lower case are the same.",
  switchAnyway: "Switch anyway",
  switchItOff: "Switch it off",
  mayBeUsed: "Rules may use it: there are more than this page reads.",
  usedBy: { one: "{n} active rule uses it:", other: "{n} active rules use it:" },
  usedByOrMore: "{n} or more active rules use it:",
  more: "and {n} more",
  usedByRules: "Used by these rules",
  place: "(place {n})",
  placeOff: "(place {n}, off)",
  readingRules: "Reading the rules",
  notUsed: "No rule uses it.",
  addRule: "Add a rule",
  addRuleForIdp: "Add a rule for this provider",
});
