"use strict";

const { setTimeout: sleep } = require("node:timers/promises");
const { ask, receive, start } = require("../http/fleet.js");
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
  const server = start("server.js", [name], process.execPath, ["--expose-gc"]);
  const load = start("load.js", [], process.execPath, []);
  try {
    const { port } = await receive(server);
    const usages = [];
    let sent = 0;
    for (const amount of amounts) {
      const { failures } = await ask(load, { port, workload: "get", amount: amount - sent, pipelining: PIPELINING });
      if (failures > 0) throw new Error(`${failures} requests failed`);
      sent = amount;
      await sleep(SETTLING);
      await ask(server, "usage"); // what it collects the first time is gone the second
      const { heap, resident } = await ask(server, "usage");
      usages.push({ heap: heap / 2 ** 20, resident: resident / 2 ** 20 });
    }
    return usages;
  } finally {
    server.kill();
    load.kill();
  }
}
