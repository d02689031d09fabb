"use strict";

const { existsSync } = require("node:fs");
const path = require("node:path");
const { Unavailable } = require("./unavailable.js");

const ROOT = path.join(__dirname, "../..");

/** A file of the server, as it was built. */
function requireCompiled(file) {
  return require(compiledPath(file));
}

function compiledPath(file) {
  return find(path.join("example-app/dist", file), "the server is not built (npm run build:server)");
}

/** A file of `lib/`, as it was built: also what its folder keeps private. */
function requireLib(file) {
  return require(find(path.join("dist/lib", file), "the package is not built (npm run build:server)"));
}

function find(file, message) {
  const found = path.join(ROOT, file);
  if (!existsSync(found)) throw new Unavailable(message);
  return found;
}

module.exports = { compiledPath, requireCompiled, requireLib };
