import { defineTexts } from "../define.js";

/** What the header says of the search. */
export const searchButton = defineTexts("searchButton", {
  search: "Search",
  keys: "Ctrl K",
});
