"use strict";

/**
 * A process that asks an org, on connections of its own, again and again: WebFinger, and with a token also writes. It tells
 * the slowest response of each kind since the message before. `pause` and `go` are for when nobody measures it.
 */
const os = require("node:os");
const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { Client, webfinger } = require("../servers/client.js");

/** In milliseconds: between a response and the next request. A token may write ten times a second. */
const PAUSES = { webfinger: 4, write: 120 };

/** In milliseconds: how often it looks whether it is to go on. */
const REST = 20;

/** How many connections ask WebFinger: enough to reach each of several workers. */
const CONNECTIONS = 4;

/** In milliseconds. */
const PATIENCE = 120_000;

const found = {};
const running = new Map();
let isPaused = false;

process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  if (message === "read") return process.send(read());
  if (typeof message === "string") {
    isPaused = message === "pause";
    return;
  }
  const { port, org, token } = message;
  reset();
  for (let lane = 0; lane < CONNECTIONS; lane++) void ask("webfinger", lane, { port, org });
  if (token !== undefined) void ask("write", CONNECTIONS, { port, org, token });
});

try {
  os.setPriority(os.constants.priority.PRIORITY_HIGH); // so that it measures the server, not itself
} catch {
  // only root may
}

async function ask(kind, lane, { port, org, token }) {
  for (let number = 0; ; number++) {
    // each round comes from another address, so that no rate limit refuses it
    const address = `198.18.${lane}.${number % 250}`;
    const client = new Client({ port }, { org, token, address, connections: 1 });
    for (let request = 0; request < 500; request++) {
      while (isPaused) await sleep(REST);
      const start = performance.now();
      running.set(lane, { kind, start });
      await send(client, kind, org, number + request)
        .then((status) => note(kind, performance.now() - start, status))
        .catch((error) => note(kind, performance.now() - start, error.message));
      running.delete(lane);
      await sleep(PAUSES[kind]);
    }
    client.close();
  }
}

async function send(client, kind, org, number) {
  const login = `user0@${org}.example`;
  const options = { timeout: PATIENCE };
  const { status } = await (kind === "webfinger"
    ? client.send(webfinger(login), options)
    : client.send(`/api/v1/users/${login}`, {
        ...options,
        method: "POST",
        body: { profile: { lastName: `Doe ${number}` } },
      }));
  return status;
}

function note(kind, duration, status) {
  const one = found[kind];
  one.count += 1;
  one.slowest = Math.max(one.slowest, duration);
  if (status !== 200) one.refused[status] = (one.refused[status] ?? 0) + 1;
}

/** What waits now counts with the time that it has waited. */
function read() {
  const now = performance.now();
  for (const { kind, start } of running.values()) found[kind].slowest = Math.max(found[kind].slowest, now - start);
  const result = { ...found };
  reset();
  return result;
}

function reset() {
  for (const kind of Object.keys(PAUSES)) found[kind] = { slowest: 0, count: 0, refused: {} };
}
