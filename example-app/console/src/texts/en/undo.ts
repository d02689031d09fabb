import { defineTexts } from "../define.js";

/** The way back from what was just done. */
export const undo = defineTexts("undo", {
  undo: "Undo",
  undoAll: "Undo all",
  anyway: "Undo anyway",
  done: "The change was taken back",
  allDone: "The changes were taken back",
  failed: "Nothing was taken back",
  changedAgain: "It was changed again meanwhile: see the page History.",
  othersChanged: "Something was changed again meanwhile: see the page History.",
});
