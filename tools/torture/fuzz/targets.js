"use strict";

const { readdirSync } = require("node:fs");
const path = require("node:path");

const FOLDER = path.join(__dirname, "targets");

/**
 * What is tried with generated inputs, from the files in `targets/`: each exports a list of `{ name, generate, check,
 * allows }`. `generate(random)` makes an input, `check(input, random)` gives it to the code and throws a `Violation` when
 * the result is wrong. `allows(error)` says whether the code documents that it throws this error; without it, none.
 */
const targets = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => require(path.join(FOLDER, file)));

module.exports = { targets };
