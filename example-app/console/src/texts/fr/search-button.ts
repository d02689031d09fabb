import type { Translation } from "../define.js";
import type * as english from "../en/search-button.js";

export const searchButton: Translation<typeof english.searchButton> = {
  search: "Rechercher",
  keys: "Ctrl K",
};
