import { defineTexts } from "../define.js";

/** What goes wrong. */
export const faults = defineTexts("faults", {
  unreachable: "The server can't be reached: check the connection.",
  responded: "The server responded with {status}.",
  noPolicy: "The org has no discovery policy.",
  gone: "It is not there any more: somebody deleted it.",
  tooMany: "There were too many requests. Try again in a moment.",
  notNow: "The server can't do this now. Try again in a moment.",
  notLoaded: "A part of the console could not be loaded: check the connection.",
});
