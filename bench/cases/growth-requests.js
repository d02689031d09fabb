"use strict";

const { setTimeout: sleep } = require("node:timers/promises");
const { ask, receive, start } = require("../http/fleet.js");
const { formatRow } = require("../rows.js");
const { atMost, FLAT } = require("../targets.js");

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
  const server = start("server.js", ["create-server"], process.execPath, ["--expose-gc"]);
  const load = start("load.js", [], process.execPath, []);
  try {
    const { port } = await receive(server);
    const few = await measureAfter(FEW);
    const many = await measureAfter(MANY - FEW);
    return [row("heap", FLAT), row("resident", atMost(75))];

    async function measureAfter(amount) {
      const { failures } = await ask(load, { port, workload: "get", amount, pipelining: PIPELINING });
      if (failures > 0) throw new Error(`${failures} requests failed`);
      await sleep(SETTLING);
      await ask(server, "usage"); // what it collects the first time is gone the second
      return ask(server, "usage");
    }

    function row(figure, target) {
      const [ours, peer] = [many, few].map((usage) => [usage[figure] / 2 ** 20]);
      const peerName = `after ${FEW} requests`;
      return formatRow({ name: `growth/requests/${figure}`, peerName, unit: "MB", samples: { ours, peer }, target });
    }
  } finally {
    server.kill();
    load.kill();
  }
}
