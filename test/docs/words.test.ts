import { readFileSync } from "node:fs";
import path from "node:path";
import { PAGES } from "../support/snippets.js";

/** How many words the pages have that people write. Readers are in a hurry. */
const MAX_WORDS = 65_000;
const MAX_WORDS_OF_A_PAGE = 1_500;
const MAX_WORDS_OF_README = 1_000;

/** Written by programs, or a line for each change. */
const NOT_COUNTED = [
  "CHANGELOG.md",
  "docs/guides/adopted-app.md",
  "docs/reference/check.md",
  "docs/reference/commands.md",
  "docs/reference/peers.md",
  "docs/reference/reliability-runs.md",
  "docs/reference/reliability.md",
  "docs/reference/settings.md",
];

/** Pages that are longer, and how long they may be: a number here may only become smaller. */
const LONGER: Readonly<Record<string, number>> = {};

const pages = PAGES.filter((page) => !NOT_COUNTED.includes(page)).map(
  (page) => [page, countWords(readFileSync(path.join(__dirname, "../..", page), "utf8"))] as const,
);

/** What has a letter or a digit, code too; without comments and generated tables. */
function countWords(page: string): number {
  const text = page.replaceAll(/<!-- (bench-table|generated)\b[^]*?<!-- \/\1 -->|<!--[^]*?-->/g, "");
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

it("all pages together have at most 65,000 words", () => {
  expect(pages.reduce((sum, [, words]) => sum + words, 0)).toBeLessThanOrEqual(MAX_WORDS);
});

it.each(pages)("%s is short: %d words", (page, words) => {
  expect(words).toBeLessThanOrEqual(limitOf(page));
});

function limitOf(page: string): number {
  return page === "README.md" ? MAX_WORDS_OF_README : (LONGER[page] ?? MAX_WORDS_OF_A_PAGE);
}

it("every page that is not counted, or may be longer, is there", () => {
  for (const page of [...NOT_COUNTED, ...Object.keys(LONGER)]) expect(PAGES).toContain(page);
  for (const [page, words] of pages)
    expect([page, words <= MAX_WORDS_OF_A_PAGE && page in LONGER]).toEqual([page, false]);
});

it.each([
  ["two words", 2],
  ["| a | `b` | – |", 2],
  ["<!-- not counted -->one<!-- nor this -->", 1],
  ["<!-- bench-table:x -->\n| a | 1 |\n<!-- /bench-table -->", 0],
  ["<!-- generated -->\n| a | 1 |\n<!-- /generated --> b", 1],
])("%j has %d words", (text, words) => {
  expect(countWords(text)).toBe(words);
});
