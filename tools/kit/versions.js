"use strict";

const { existsSync } = require("node:fs");
const { Unavailable } = require("./unavailable.js");

/** The versions of Node that are measured beside the one that runs the benchmark. */
const OTHER_VERSIONS = ["22", "24", "26"];

/** The path of a Node of this version, from the environment. */
function requireNode(version) {
  const execPath = process.env[`NODE_${version}`];
  if (!execPath || !existsSync(execPath)) throw new Unavailable(`NODE_${version} does not name a Node ${version}`);
  return execPath;
}

module.exports = { OTHER_VERSIONS, requireNode };
