"use strict";

/**
 * A process with all servers of a workload and no network. Told `{ workload, variant, names, warmUp, rounds }`, it sends the samples of
 * each server by name, one of each round: µs of processor time for a request.
 */
const assert = require("node:assert/strict");
const { open, send } = require("./connection.js");
const { createRequests, createRows, statusOf, TARGETS } = require("./workloads.js");

/** Requests of a round. */
const COUNT = 300;

/** Responses of the bound that are compared with the suite's. */
const COMPARED = 50;

process.on("disconnect", () => process.exit());
process.on("message", async ({ workload, variant, names, warmUp, rounds }) => {
  const { connections, tags } = await connect(workload, names);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  const make = createRequests(workload, variant, tags);
  for (let round = -warmUp; round < rounds; round++) {
    const requests = make(COUNT); // made before the clock runs
    for (const [name, socket] of connections) {
      const start = process.cpuUsage();
      await send(socket, requests);
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) samples[name].push((user + system) / COUNT);
    }
  }
  process.send({ samples });
});

/** A connection to each server, by name, and the entity tags of all. Fails when the bound doesn't send what the suite sends. */
async function connect(workload, names) {
  const rows = createRows(workload);
  const own = await open("create-server", { workload, rows });
  const tags = workload === "not-modified" ? await readTags(names, rows) : [];
  const expected = await read(own, workload, tags);
  const find = (pattern) => pattern.exec(expected.join(""))?.[1];
  const fields = { exposed: find(/^Access-Control-Expose-Headers: (.*)\r/m), next: find(/^Link: (<.*rel="next")/m) };
  const connections = [];
  for (const name of names) {
    const socket = await open(name, { workload, rows, fields });
    connections.push([name, socket]);
    const texts = await read(socket, workload, tags);
    if (name === "bound") texts.forEach((text, index) => assert.equal(normalise(text), normalise(expected[index])));
  }
  return { connections, tags };
}

/** The entity tag that each server gives its list. */
async function readTags(names, rows) {
  const tags = [];
  for (const name of names) {
    const [text] = await read(await open(name, { workload: "list", rows }), "list");
    tags.push(/^etag: (.*)\r/im.exec(text)[1]);
  }
  return tags;
}

/** The texts of the responses to the first requests. */
async function read(socket, workload, tags) {
  const texts = [];
  for (const request of createRequests(workload, "unseen", tags)(COMPARED)) {
    let text = "";
    socket.onText = (chunk) => (text += chunk);
    await send(socket, [request]);
    if (!text.startsWith(`HTTP/1.1 ${statusOf(workload)}`)) {
      throw new Error(`${TARGETS[workload](1)} was answered with ${text}`);
    }
    texts.push(text);
  }
  socket.onText = undefined;
  return texts;
}

/** Without what differs from one response to the next; in any order of the fields. */
function normalise(text) {
  const [head, body] = text.split("\r\n\r\n");
  const lines = head.split("\r\n").map((line) => line.replace(/^(X-Svc-Request-Id|Date): .*/, "$1"));
  return [...lines.sort(), "", body].join("\n");
}
