"use strict";

/** Preloaded into a program: tells the process that started it, when asked, what the program has used so far. */
const { subscribe } = require("node:diagnostics_channel");
const { performance } = require("node:perf_hooks");

let requests = 0;
let responses = 0;
subscribe("http.server.request.start", () => {
  requests += 1;
});
subscribe("http.server.response.finish", () => {
  responses += 1;
});

process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  if (message?.ask !== "usage") return; // a worker is spoken to by its cluster as well
  if (message.collect) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({
    time: performance.now(),
    cpu: user + system,
    requests,
    responses,
    connections: process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length,
    resident: rss,
    heap: heapUsed + external,
  });
});
process.channel?.unref(); // a server that is told to stop ends by itself
