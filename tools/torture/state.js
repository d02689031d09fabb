"use strict";

const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");

/** The result of each run by its name. A file that is not there is an empty state. */
function loadState(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

function saveState(file, state) {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(state, undefined, 2)}\n`);
  renameSync(temporary, file);
}

/** Whether a result says that the run tried at least this share, and that nothing failed. */
function isDone(result, scale) {
  return result !== undefined && result.outcome === "held" && result.scale >= scale;
}

/** A smaller run takes the place of a larger one only if it found a fault. */
function isBetter(result, before) {
  if (before === undefined || result.outcome === "fell") return true;
  if (result.outcome === "not run") return before.outcome === "not run";
  return before.outcome === "not run" || result.scale >= before.scale;
}

module.exports = { isBetter, isDone, loadState, saveState };
