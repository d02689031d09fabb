"use strict";

const path = require("node:path");
const { Program } = require("../../kit/program.js");

/** V8 collects nothing before 256 MB, and compiles at the same request in each run. */
const HEAP_FLAGS = ["--expose-gc", "--max-semi-space-size=256", "--min-semi-space-size=256", "--single-threaded"];

/** Bytes that a request to a server of `apps.js` allocates; those of the suite if none is named. */
async function countBytes(message, execPath) {
  const { bytes } = await count(message, { execPath, execArgv: HEAP_FLAGS });
  return Math.round(bytes);
}

/** How often blocks of the package run for a request. */
async function countSteps(message) {
  const { steps } = await count(message);
  return Math.round(steps);
}

async function count(message, options) {
  const program = new Program(path.join(__dirname, "count.js"), [], options);
  try {
    return await program.ask(message);
  } finally {
    await program.stop();
  }
}

module.exports = { countBytes, countSteps };
