import { defineTexts } from "../define.js";

/** The frame of the console. */
export const shell = defineTexts("shell", {
  skip: "Skip to the page",
  pages: "Pages",
  loading: "Loading",
  signedInWith: "Signed in with the token {name}",
  signOut: "Sign out",
  stillSignedIn: "You are still signed in",
  settings: "Settings and help",
  notFound: "There is no such page",
  console: "Console",
  starting: "Loading…",
  outage: "{problem} The page tries again by itself.",
  outageSince: "{problem} What you see is of {time}. The page tries again by itself.",
});
