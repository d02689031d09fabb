"use strict";

const { existsSync } = require("node:fs");
const path = require("node:path");
const { Unavailable } = require("../../bench/piece.js");

const DIST = path.join(__dirname, "../../../dist/lib");

/** A file of `lib/`, as it was built: also what its folder keeps private. */
function requireLib(file) {
  const found = path.join(DIST, file);
  if (!existsSync(found)) throw new Unavailable("the package is not built (npm run build)");
  return require(found);
}

module.exports = { requireLib };
