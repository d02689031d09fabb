import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brokenLinks } from "../support/links.js";
import { PAGES } from "../support/snippets.js";

const ROOT = path.join(__dirname, "../..");

it.each(PAGES)("%s links only to files and headings that exist, and to URLs of web sites", (page) => {
  expect(brokenLinks(ROOT, page)).toEqual([]);
});

it("every picture in docs/images is on a page", () => {
  const text = PAGES.map((page) => readFileSync(path.join(ROOT, page), "utf8")).join("");
  expect(readdirSync(path.join(ROOT, "docs/images")).filter((file) => !text.includes(`images/${file}`))).toEqual([]);
});

it.each([
  "[a](missing.md)",
  "[a](#missing)",
  "[a](page.md#twice-2)",
  "![a](missing.png)",
  '<img src="missing.svg">',
  "[a]: missing.md",
  "[a](http://example.com)",
  "[a](https://example)",
  "[a](https://exa_mple.com/)",
  "[a](javascript:alert)",
])("%j is broken", (link) => {
  const folder = mkdtempSync(path.join(tmpdir(), "etiquette-links-"));
  const sound = '[a](page.md#twice-1) [b](#twice) <img src="page.md"> [c](https://example.com/a#b)';
  writeFileSync(path.join(folder, "page.md"), `# Twice\n\n## Twice\n\n${sound}\n\n${link}\n`);
  const [found, ...others] = brokenLinks(folder, "page.md");
  rmSync(folder, { recursive: true });
  expect(others).toEqual([]);
  expect(found).toBeDefined();
  expect(link).toContain(found);
});
