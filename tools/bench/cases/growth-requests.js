"use strict";

const { setTimeout: sleep } = require("node:timers/promises");
const { startLoad, startServer } = require("../http/fleet.js");
const { formatRow } = require("../rows.js");

/** Requests before memory is looked at first, and last. */
const FEW = 10_000;
const MANY = 1_000_000;

/** Requests of each connection in flight, to save time. */
const PIPELINING = 8;

/** In milliseconds: until connections are closed. */
const SETTLING = 1_000;

/** Memory of the suite on its own server: what a request leaves behind would show. */
module.exports = [{ name: "growth/requests", measure }];

async function measure() {
  const [few, many] = await measureMemory("create-server", [FEW, MANY]);
  const [express] = await measureMemory("express-5", [MANY]);
  return [row("heap", `after ${FEW} requests`, few), row("resident", "express-5", express)];

  function row(figure, peerName, peer) {
    const samples = { ours: [many[figure]], peer: [peer[figure]] };
    return formatRow({ name: `growth/requests/${figure}`, peerName, unit: "MB", samples });
  }
}

/** In MB, after each of these numbers of requests. */
async function measureMemory(name, amounts) {
  const [server, load] = [await startServer(name, { execArgv: ["--expose-gc"] }), startLoad()];
  try {
    const usages = [];
    let sent = 0;
    for (const amount of amounts) {
      const { failures } = await load.ask({
        port: server.port,
        workload: "get",
        amount: amount - sent,
        pipelining: PIPELINING,
      });
      if (failures > 0) throw new Error(`${failures} requests failed`);
      sent = amount;
      await sleep(SETTLING);
      await server.usage({ collect: true }); // what it collects the first time is gone the second
      const { heap, resident } = await server.usage({ collect: true });
      usages.push({ heap: heap / 2 ** 20, resident: resident / 2 ** 20 });
    }
    return usages;
  } finally {
    await Promise.all([server.stop(), load.stop()]);
  }
}
