"use strict";

const { readdirSync } = require("node:fs");
const path = require("node:path");

const FOLDER = path.join(__dirname, "cases");

/**
 * Every case, from the files in `cases/`: each exports a list of `{ name, measure, release }`. `measure()` promises rows as
 * `formatRow()` makes them, or rejects with `Unavailable`; `release()`, which may be left out, is called when all
 * have run.
 */
const cases = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => require(path.join(FOLDER, file)));

/** The cases whose name is `name` or begins with it and a slash; all of them without a name. */
function selectCases(name) {
  if (name === undefined) return cases;
  return cases.filter((entry) => entry.name === name || entry.name.startsWith(`${name}/`));
}

module.exports = { cases, selectCases };
