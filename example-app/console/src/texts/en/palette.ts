import { defineTexts } from "../define.js";

/** The search over pages and records. */
export const palette = defineTexts("palette", {
  title: "Find a page, a record or a login",
  placeholder: "A name, or joe@example.com",
  results: "What was found",
  found: { one: "{n} found", other: "{n} found" },
  nothing: "Nothing has this in its name",
  failed: "Not everything was searched: {reason}",
  tryLogin: "Who signs in {login}?",
  pages: "Pages",
});
