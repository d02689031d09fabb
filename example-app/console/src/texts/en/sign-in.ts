import { defineTexts } from "../define.js";

/** The page to sign in. */
export const signIn = defineTexts("signIn", {
  tab: "Sign in · Console",
  title: "Sign in to the console",
  ended: "Your session has ended",
  why: "Its token was revoked or expired, or nobody used it for a while.",
  command:
    "The operator of the server prints a link that signs you in, once, within ten minutes, with this command of the program:",
  token: "Or paste an API token of this org",
  tokenNote: "The server keeps it. Scripts of this page can't read it afterwards.",
  signIn: "Sign in",
});
