"use strict";

/** `node log-lines.js HOW`: a process that writes three lines to the log of the server, then ends in the way that HOW says. */
const { setInterval, setTimeout } = require("node:timers");
require("./typescript-hook.js");
const { createLog } = require("../../src/program/process/log.ts");

const ENDS = {
  last() {
    // nothing is left to do
  },
  exit: () => process.exit(3),
  throw() {
    throw new Error("crash");
  },
  reject: () => Promise.reject(new Error("crash")),
  fatal() {
    log.fatal("fatal");
    process.exit(4);
  },
  flood() {
    const text = "x".repeat(1_000);
    for (let round = 0; round < 200; round++) {
      setTimeout(() => {
        for (let number = 0; number < 500; number++) log.info({ text }, "line");
        if (round === 199) process.stdout.write(String(process.memoryUsage().rss));
      }, round);
    }
  },
  stay: () => setInterval(() => undefined, 60_000),
};

const log = createLog("info");
for (const number of [1, 2, 3]) log.info({ number }, "line");
void ENDS[process.argv[2]]();
