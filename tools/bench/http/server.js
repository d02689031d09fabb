"use strict";

/** A process with one server, named by its argument. Tells its port; asked, what it has used and how much it answered. */
const { subscribe } = require("node:diagnostics_channel");
const { performance } = require("node:perf_hooks");
const { SERVERS } = require("./servers.js");

let responses = 0;
subscribe("http.server.response.finish", () => {
  responses += 1;
});

process.on("disconnect", () => process.exit());
process.on("message", () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({
    time: performance.now(),
    cpu: user + system,
    responses,
    resident: rss,
    heap: heapUsed + external,
  });
});

SERVERS[process.argv[2]]().then((server) => process.send({ port: server.address().port }));
