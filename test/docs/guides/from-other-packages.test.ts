import { readFileSync } from "node:fs";
import path from "node:path";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { rowsBelow } from "../../support/page-parts.js";
import type { Row } from "./replaced.js";
import { BODY_PARSER, TYPE_IS } from "./replaced-bodies.js";
import { CORS, ETAG, RATE_LIMIT } from "./replaced-responses.js";

/** Each line of the tables of docs/guides/from-other-packages.md is what the package does, and what ours does. */
const page = readFileSync(path.join(__dirname, "../../../docs/guides/from-other-packages.md"), "utf8");

const TABLES: readonly (readonly [heading: string, rows: Readonly<Record<string, Row>>])[] = [
  ["From body-parser", BODY_PARSER],
  ["From type-is", TYPE_IS],
  ["From etag", ETAG],
  ["From cors", CORS],
  ["From express-rate-limit", RATE_LIMIT],
];

describe.each(TABLES)("%s", (heading, rows) => {
  const table = rowsBelow(page, heading);

  test("every line is tested", () => {
    expect(table.map(([name]) => name)).toEqual(Object.keys(rows));
  });

  describe.each(EXPRESS_VERSIONS)("on %s", (_version, express) => {
    test.each(table)("%s: %s, ours %s", async (name = "", theirs, ours) => {
      const row = rows[name];
      expect([await row?.(express, "package"), await row?.(express, "ours")]).toEqual([theirs, ours]);
    });
  });
});
