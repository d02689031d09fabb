import path from "node:path";
import { brokenLinks } from "../support/links.js";
import { PAGES } from "../support/snippets.js";

const ROOT = path.join(__dirname, "../..");

it.each(PAGES)("%s links only to files and headings that exist", (page) => {
  expect(brokenLinks(ROOT, page)).toEqual([]);
});
