"use strict";

/**
 * Preloaded into a server and its workers through NODE_OPTIONS: measures the longest turn of the event loop, in processor time of the
 * main thread, so that a busy machine makes no turn longer. Tells it to who connects to the socket of the process in the
 * folder TORTURE_TURNS, one line for each line that it gets: `read` also begins anew.
 */
const { closeSync, openSync, readSync } = require("node:fs");
const { Buffer } = require("node:buffer");
const net = require("node:net");
const path = require("node:path");
const { performance } = require("node:perf_hooks");
const { setInterval } = require("node:timers");

/** In milliseconds: a turn is what happens between two ticks. */
const TICK = 2;

const folder = process.env.TORTURE_TURNS;
if (folder !== undefined) begin(path.join(folder, `${process.pid}.sock`));

function begin(address) {
  const readTime = createClock();
  let last = { processor: readTime(), wall: performance.now() };
  let longest = { processor: 0, wall: 0 };
  const tick = () => {
    const now = { processor: readTime(), wall: performance.now() };
    for (const clock of ["processor", "wall"]) longest[clock] = Math.max(longest[clock], now[clock] - last[clock]);
    last = now;
  };
  setInterval(tick, TICK).unref();
  const server = net.createServer((socket) => {
    socket.unref().on("error", () => undefined);
    socket.on("data", () => {
      tick();
      const { user, system } = process.cpuUsage();
      socket.write(`${JSON.stringify({ pid: process.pid, longest, processor: (user + system) / 1_000 })}\n`);
      longest = { processor: 0, wall: 0 };
    });
  });
  server.on("error", () => undefined);
  server.listen(address).unref();
}

/** Reads the milliseconds of processor time of this thread; where there is none to be read, those that passed. */
function createClock() {
  if (process.threadCpuUsage !== undefined) {
    return () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
  }
  const bytes = Buffer.alloc(64);
  try {
    const file = openSync("/proc/self/schedstat");
    process.once("exit", () => closeSync(file));
    return () => Number.parseInt(bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0)), 10) / 1e6;
  } catch {
    return () => performance.now();
  }
}
