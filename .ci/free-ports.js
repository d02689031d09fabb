"use strict";

/** `node .ci/free-ports.js COUNT` prints the first of so many ports in a row that nobody uses on the loopback. */
const { once } = require("node:events");
const { createServer } = require("node:net");

const count = Number(process.argv[2]);

async function listen(port) {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function find() {
  const servers = [];
  try {
    servers.push(await listen(0));
    const { port } = servers[0].address();
    while (servers.length < count) servers.push(await listen(port + servers.length));
    return port;
  } catch {
    return undefined;
  } finally {
    for (const server of servers) server.close();
  }
}

async function main() {
  let port;
  while (port === undefined) port = await find();
  console.log(port);
}

void main();
