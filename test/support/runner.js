"use strict";

const { readFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const { default: circus } = require("jest-circus/runner");
const { timeCompiling } = require("./runtime.js");

const TICKS_PER_SECOND = 100; // of Linux, on every architecture of Node

/** Jest's runner, which adds to the result of a file what the file spent, in milliseconds. summary-reporter.js prints it. */
module.exports = async function run(...parameters) {
  const before = read();
  const result = await circus(...parameters);
  const after = read();
  result.spent = Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]));
  return result;
};

function read() {
  const { user, system } = process.cpuUsage();
  return {
    elapsed: performance.now(),
    processor: (user + system) / 1_000,
    compiling: timeCompiling(),
    processes: readChildren(),
  };
}

/** The processor time of the processes that this one started and that have ended. Only Linux tells it. */
function readChildren() {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15)
    .map(Number);
  return ((user + system) * 1_000) / TICKS_PER_SECOND;
}
