import { readFileSync } from "node:fs";
import path from "node:path";
import { REMEDIES } from "../../../lib/report/remedies.js";
import { expectPage } from "../../support/page.js";
import { listRules } from "../../support/rules.js";

const ROOT = path.join(__dirname, "../../..");

/** The types that a guard, a parser of bodies or the server can refuse with, and Node alone would not. */
const SOURCES = [
  "middleware/https-only.ts",
  "middleware/body-length.ts",
  "middleware/query-parameters.ts",
  "middleware/content-type.ts",
  "lib/faults/body-framing.ts",
  "lib/faults/body-text.ts",
  "lib/faults/body-transfer.ts",
  "lib/faults/json-body.ts",
  "lib/faults/request-head.ts",
  "lib/server/request-limits.ts",
];

/** Node refuses these too, or nobody is there to be told. */
const NOT_REPORTED = ["request.aborted", "host.missing", "expectation.unmet"];

const PAGE = "docs/reference/suite.md";
const TABLE = /(?<=<!-- generated -->\n\n)[^]*?(?=\n\n<!-- \/generated -->)/;

it("docs/reference/suite.md has the table; `npm run pages` writes it", () => {
  const page = readFileSync(path.join(ROOT, PAGE), "utf8");
  const rows = Object.entries(REMEDIES).map(([type, { rule, option }]) => `| \`${type}\` | ${rule} | ${option} |`);
  const table = ["| type | rule | to allow it |", "| --- | --- | --- |", ...rows].join("\n");
  expect(page).toMatch(TABLE);
  expectPage(
    PAGE,
    page.replace(TABLE, () => table),
  );
});

it("every rule is one of docs/reference/rules.md", () => {
  expect(listRules()).toEqual(expect.arrayContaining(Object.values(REMEDIES).map(({ rule }) => rule)));
});

it.each(SOURCES)("each type of %s has its line", (file) => {
  const source = readFileSync(path.join(ROOT, file), "utf8");
  const found = [...source.matchAll(/(?:type: |type = .*?\? |badRequest\(\s*|: )"([a-z-]+\.[a-z.-]+)"/g)].map(
    ([, type]) => type,
  );
  expect(found).not.toEqual([]);
  expect([...Object.keys(REMEDIES), ...NOT_REPORTED]).toEqual(expect.arrayContaining(found));
});
