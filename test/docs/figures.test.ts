import { readFileSync } from "node:fs";
import path from "node:path";
import { fillFigures, hasFigures, readRows, type Row } from "../support/figures.js";
import { expectPage } from "../support/page.js";
import { PAGES } from "../support/snippets.js";

const rows = readRows();

const read = (page: string): string => readFileSync(path.join(__dirname, "../..", page), "utf8");

it.each(PAGES.filter((page) => hasFigures(read(page))))(
  "%s quotes docs/data/bench.json; `npm run pages` writes the figures",
  (page) => {
    expectPage(page, fillFigures(read(page), rows));
  },
);

it("docs/explanation/design/measurements.md has every row", () => {
  const page = read("docs/explanation/design/measurements.md");
  const prefixes = Array.from(page.matchAll(/<!-- bench-table:(.+?) -->/g), ([, list = ""]) => list.split(" ")).flat();
  const keys = [...rows.keys()];
  expect(keys.filter((key) => !prefixes.some((prefix) => key.startsWith(prefix)))).toEqual([]);
});

it("the README says `faster` only where rows of the last run do", () => {
  const claims = read("README.md")
    .split("\n")
    .filter((line) => /\bfaster\b/.test(line));
  expect(claims).not.toEqual([]);
  for (const line of claims) {
    const keys = Array.from(line.matchAll(/<!-- faster:(\S+) -->/g), ([, key = ""]) => key);
    expect([line, keys.length > 0]).toEqual([line, true]);
    expect(keys.filter((key) => !isFaster(rows.get(key)))).toEqual([]);
  }
});

/** With at least nine in ten of its pairs. */
function isFaster(row: Row | undefined): boolean {
  return row !== undefined && row.ratio !== null && row.spread[0] > 1;
}

describe("fillFigures", () => {
  const row = {
    ...[...rows.values()][0]!,
    key: "a/b.c",
    case: "a/b",
    ours: 123.456,
    ratio: 1.239,
    spread: [1, 2] as const,
    target: "≥ 1 ×",
  };
  const known = new Map([[row.key, row]]);

  it("replaces a figure, and leaves its marker", () => {
    const text = "It is <!-- bench:a/b.c.ratio -->9<!-- /bench --> times, <!-- bench:a/b.c.ours --><!-- /bench --> µs.";
    const filled =
      "It is <!-- bench:a/b.c.ratio -->1.24<!-- /bench --> times, <!-- bench:a/b.c.ours -->123<!-- /bench --> µs.";
    expect(fillFigures(text, known)).toBe(filled);
    expect(fillFigures(filled, known)).toBe(filled);
  });

  it("replaces a table", () => {
    const filled = fillFigures("<!-- bench-table:x a/ -->\nold\n<!-- /bench-table -->\n", known);
    expect(filled).toContain("| 1.24 × |");
    expect(filled).not.toContain("old");
    expect(fillFigures(filled, known)).toBe(filled);
  });

  it.each(["bench:a/b.d.ratio", "bench:a/b.c.speed"])("refuses %s, which is not there", (marker) => {
    expect(() => fillFigures(`<!-- ${marker} -->1<!-- /bench -->`, known)).toThrow("docs/data/bench.json has no");
  });

  it("refuses a table without rows", () => {
    expect(() => fillFigures("<!-- bench-table:x -->\n<!-- /bench-table -->", known)).toThrow("has no rows of x");
  });
});
