import { defineTexts } from "../define.js";

/** What every page has. */
export const parts = defineTexts("parts", {
  copy: "Copy",
  copied: "Copied",
  copyRequestId: "Copy the id of the request",
  close: "Close",
  closeMessage: "Close the message",
  cancel: "Cancel",
  tryAgain: "Try again",
  never: "never",
  dayAndTime: "{day}, {time}",
  sentence: "{text}.",
  comma: ", ",
  androidPhone: "Android phone",
  whatIs: "What is “{term}”?",
});
