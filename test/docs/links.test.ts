import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { PAGES } from "../support/snippets.js";

const ROOT = path.join(__dirname, "../..");

describe.each(PAGES)("%s", (page) => {
  const text = read(page).replaceAll(/^```[^]*?^```/gm, "");
  const targets = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = ""]) => target);

  it("links only to files and headings that exist", () => {
    expect(targets.filter((target) => !isThere(page, target))).toEqual([]);
  });
});

function isThere(page: string, target: string): boolean {
  const [file = "", heading] = target.split("#");
  const linked = file === "" ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(ROOT, linked))) return false;
  return heading === undefined || headingsOf(linked).includes(heading);
}

/** The anchors of a page, as GitHub makes them. */
function headingsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

function read(page: string): string {
  return readFileSync(path.join(ROOT, page), "utf8");
}
