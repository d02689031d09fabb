import { defineTexts } from "../define.js";

/** The page of the history. */
export const historyPage = defineTexts("historyPage", {
  about:
    "Who changed rules, identity providers, zones and trusted origins, and what they were before. Everything can be brought back.",
  emptyTitle: "No changes yet",
  empty: "Change a rule, and you find here what it was before.",
  list: "Changes, the newest first",
  readingChanges: "Reading the changes",
  moreChanges: "Show more changes",
  show: "Show",
  hide: "Hide",
  showRevision: "Show revision {revision}",
  hideRevision: "Hide revision {revision}",
  revision: "revision {revision}",
  revisionBy: "Revision {revision} {author}",
  undo: "Undo",
  undoAnyway: "Undo anyway",
  undoThis: "Undo this change?",
  tryThen: "Try a login with the rules of then",
  bringAll: "Bring everything back to here",
  bringAllAnyway: "Bring everything back to here anyway",
  bringAllAsked: "Bring back everything as it was after revision {revision}?",
});
