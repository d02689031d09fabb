"use strict";

const { existsSync, readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");
const { Unavailable } = require("../../kit/unavailable.js");

/** Linux counts processor time in hundredths of a second. */
const MICROSECONDS = 10_000;

/**
 * The processor time in µs that a process, the processes that it started, and those that these started have used so far.
 * Needs Linux.
 */
function readProcessorTime(pid) {
  if (!existsSync("/proc/self/stat")) throw new Unavailable("there is no /proc");
  const children = new Map();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const stat = readStat(name);
    if (stat !== undefined) children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
  }
  return sum(pid) * MICROSECONDS;

  function sum(id) {
    const below = (children.get(id) ?? []).map(sum);
    return below.reduce((total, time) => total + time, readStat(id)?.time ?? 0);
  }
}

/** `time` has that of children that have ended as well. */
function readStat(pid) {
  try {
    const text = readFileSync(path.join("/proc", String(pid), "stat"), "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const time = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return { parent: Number(fields[1]), time };
  } catch {
    return undefined; // it has ended meanwhile
  }
}

module.exports = { readProcessorTime };
