"use strict";

/**
 * A process that says where the time of a request goes. Told `{ workload, variant, server, rounds, warmUp }`, it sends
 * `{ samples }`: µs of a request by the part, one object of each round; `warmUp` are those before the first that counts.
 */
const profiler = require("../../kit/profile.js").createProfiler();
const { open, send } = require("./connection.js");
const { createRequests, createRows } = require("./workloads.js");

/** Requests of a round. */
const COUNT = 5_000;

process.on("disconnect", () => process.exit());
process.on("message", async ({ workload, variant, server, rounds, warmUp }) => {
  const make = createRequests(workload, variant);
  const socket = await open(server, { workload, rows: createRows(workload) });
  await send(socket, make(warmUp * COUNT));
  for (let round = 0; round < rounds; round++) {
    const requests = make(COUNT); // made before the clock runs
    profiler.mark();
    await send(socket, requests);
    profiler.mark();
  }
  const spans = profiler.stop().map((times) => Object.entries(times).map(([part, time]) => [part, time / COUNT]));
  process.send({ samples: spans.map((span) => Object.fromEntries(span)) });
});
