"use strict";

/**
 * A process that counts what a request takes, to the suite if no other server of `apps.js` is named. Told
 * `{ workload, variant, server }`, it sends `{ bytes }` if it runs with `--expose-gc`: what is allocated for a request, Node's
 * and Express's part included. Otherwise it sends `{ steps }`: how often blocks of the package's code run. Neither depends on how
 * busy the machine is.
 */
const path = require("node:path");
const { openInspector } = require("../../kit/inspector.js");

const DIST = path.join(__dirname, "../../../dist");

/** Requests before the first that counts, of a round, and rounds. */
const WARM_UP = 20_000;
const COUNT = 500;
const ROUNDS = 9;

process.on("disconnect", () => process.exit());
process.on("message", async ({ workload, variant, server = "create-server" }) => {
  const countRound = globalThis.gc === undefined ? startCoverage() : measureHeap;
  const { open, send } = require("./connection.js"); // once coverage has begun
  const { createRequests, createRows } = require("./workloads.js");
  const make = createRequests(workload, variant);
  const socket = await open(server, { workload, rows: createRows(workload) });
  await send(socket, make(globalThis.gc === undefined ? COUNT : WARM_UP));
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const requests = make(COUNT);
    rounds.push((await countRound(() => send(socket, requests))) / COUNT);
  }
  rounds.sort((a, b) => a - b);
  process.send(globalThis.gc === undefined ? { steps: rounds[0] } : { bytes: rounds[0] });
});

/** The space for young objects is so large that nothing is collected meanwhile. */
async function measureHeap(work) {
  globalThis.gc();
  const before = process.memoryUsage();
  await work();
  const after = process.memoryUsage();
  return after.heapUsed - before.heapUsed + after.external - before.external;
}

function startCoverage() {
  const post = openInspector();
  post("Profiler.enable");
  post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return async function countSteps(work) {
    post("Profiler.takePreciseCoverage"); // begins again from 0
    await work();
    const { result } = post("Profiler.takePreciseCoverage");
    const counts = result
      .filter(({ url }) => url.includes(DIST))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
}
