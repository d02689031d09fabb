"use strict";

const { randomInt } = require("node:crypto");
const { once } = require("node:events");
const net = require("node:net");

/** Below those that systems give to servers on port 0. */
const PORTS = [10_000, 32_000];

/** A port of the loopback that nobody has now, for a server that may start again on it. */
async function findFreePort() {
  for (;;) {
    const port = randomInt(...PORTS);
    const server = net.createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

module.exports = { findFreePort };
