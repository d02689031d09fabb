import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

/**
 * Expect that a page of docs/ is `text`. `npm run pages` writes it instead.
 *
 * @param text Markdown, which is formatted as the others are
 * @param comparable what of a page must be the same
 */
export function expectPage(page: string, text: string, comparable = (whole: string): string => whole): void {
  const file = path.join(ROOT, page);
  const formatted = execFileSync(
    process.execPath,
    [path.join(ROOT, "node_modules/oxfmt/bin/oxfmt"), "--stdin-filepath", file],
    { input: text, encoding: "utf8", cwd: ROOT },
  );
  if (process.env["WRITE_PAGES"]) writeFileSync(file, formatted);
  expect(comparable(formatted)).toBe(comparable(readFileSync(file, "utf8")));
}
