"use strict";

/** Preloaded into a server: tells the process that started it, when asked, what the server has used so far. */
const { subscribe } = require("node:diagnostics_channel");
const { performance } = require("node:perf_hooks");

let responses = 0;
subscribe("http.server.response.finish", () => {
  responses += 1;
});

process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  if (message !== "usage") return; // a worker is spoken to by its cluster as well
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ time: performance.now(), cpu: user + system, responses, resident: rss, heap: heapUsed + external });
});
process.channel.unref(); // a server that is told to stop ends by itself
