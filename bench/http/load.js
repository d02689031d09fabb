"use strict";

/** A process that sends a workload to a port for some seconds, as often as asked. */
const autocannon = require("autocannon");
const { WORKLOADS } = require("./workloads.js");

const CONNECTIONS = 32;

process.on("disconnect", () => process.exit());
process.on("message", async ({ port, workload, seconds }) => {
  const requests = WORKLOADS[workload];
  const { errors, non2xx } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: seconds,
    requests,
  });
  process.send({ failures: errors + non2xx });
});
