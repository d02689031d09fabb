"use strict";

/** A process that sends a workload to a port, as often as asked: for some seconds, or `amount` requests. */
const autocannon = require("autocannon");
const { WORKLOADS } = require("./workloads.js");

const CONNECTIONS = 32;

/** In milliseconds: how often it looks whether the time is over. */
const INTERVAL = 100;

process.on("disconnect", () => process.exit());
process.on("message", async ({ port, workload, seconds, amount, pipelining = 1 }) => {
  const requests = WORKLOADS[workload];
  const { errors, non2xx } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    pipelining,
    sampleInt: INTERVAL,
    requests,
    ...(amount === undefined ? { duration: seconds } : { amount }),
  });
  process.send({ failures: errors + non2xx });
});
