"use strict";

/**
 * Preloaded into a program: tells the process that started it, when asked, what the program has used so far, and where it
 * spends its time.
 */
const { subscribe } = require("node:diagnostics_channel");
const { performance } = require("node:perf_hooks");
const { createProfiler } = require("./profile.js");

let requests = 0;
let responses = 0;
subscribe("http.server.request.start", () => {
  requests += 1;
});
subscribe("http.server.response.finish", () => {
  responses += 1;
});

process.on("disconnect", () => process.exit());
const profiler = process.env.PROFILE === "true" ? createProfiler() : undefined;
process.on("message", (message) => {
  if (message?.ask === "mark") {
    profiler.mark();
    process.send({});
  }
  if (message?.ask === "parts") process.send(profiler.stop());
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
