"use strict";

const { Buffer } = require("node:buffer");
const { once } = require("node:events");
const http = require("node:http");
const { setTimeout: sleep } = require("node:timers/promises");
const { OTHER_VERSIONS, requireNode } = require("../../kit/versions.js");
const { versionOf } = require("../../kit/machine.js");
const { createDatabase } = require("../servers/databases.js");
const { org, profile } = require("../servers/orgs.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");

const ROUNDS = 20;
const REQUESTS = 200;

/** In milliseconds: how long after the signal the requests go on, in the last round; in the first, at once. */
const MAX_DELAY = 1_000;

/** In milliseconds: what a server may need to end. */
const MAX_END = 15_000;

async function run(version, rounds) {
  const execPath = requireNode(version);
  const database = await createDatabase("sqlite");
  await importDocument(database, { orgs: [org("demo", { users: 100 })] });
  const token = await createToken(database, "demo");
  const tally = { answered: 0, faults: [], ends: [] };
  for (let round = 0; round < rounds; round++) await endUnderLoad({ database, token, execPath, round, tally });
  return {
    tried: rounds * REQUESTS,
    survived: tally.answered,
    faults: tally.faults,
    versions: { Node: versionOf(execPath) },
    figures: { signals: String(rounds), "longest time to the end of the process": `${Math.max(...tally.ends)} ms` },
  };
}

/** Every request must have a whole response, and the process must end by itself with the code 0. */
async function endUnderLoad({ database, token, execPath, round, tally }) {
  const server = await startServer(database, { execPath, args: ifSupported("--rate-limits", "off") });
  const requests = Array.from({ length: REQUESTS }, (_, index) => beginRequest(server, token, `${round}-${index}`));
  const outcomes = Promise.allSettled(requests.map(({ response }) => response));
  while ((await server.usage()).requests < REQUESTS) await sleep(10);
  const start = Date.now();
  server.signal("SIGTERM");
  await sleep(MAX_DELAY * (round / ROUNDS));
  for (const { finish } of requests) finish();
  for (const outcome of await outcomes) {
    if (outcome.value?.status === 200) tally.answered += 1;
    else
      tally.faults.push(
        `round ${round}: ${outcome.reason?.message ?? `${outcome.value.status} ${outcome.value.text}`}`,
      );
  }
  const code = await Promise.race([server.exited, sleep(MAX_END, "no end")]);
  tally.ends.push(Date.now() - start);
  if (code !== 0) tally.faults.push(`round ${round}: the process ended with ${code}`);
  await server.stop();
}

/** A request that creates a user, of whose body the last byte is missing: it is in flight until `finish()` sends that. */
function beginRequest({ port }, token, name) {
  const content = JSON.stringify({ profile: profile(`term-${process.hrtime.bigint()}-${name}@demo.example`) });
  const headers = {
    Host: "demo.localhost",
    Authorization: `SVC ${token}`,
    "X-Forwarded-Proto": "https",
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(content),
  };
  const request = http.request({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/api/v1/users",
    headers,
    agent: false,
  });
  request.write(content.slice(0, -1));
  return { response: readResponse(request), finish: () => request.end(content.slice(-1)) };
}

async function readResponse(request) {
  const [response] = await once(request, "response");
  const chunks = await response.toArray();
  if (!response.complete) throw new Error("the response was cut off");
  return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
}

module.exports = {
  name: "term",
  claim: `${ROUNDS} times SIGTERM while ${REQUESTS} requests are in flight: they create users, and the last byte of each body comes up to a
second after the signal. Held: each of them has its whole response with the status 200, and the process ends by itself with
the exit code 0.`,
  runs: OTHER_VERSIONS.map((version) => ({
    name: `node-${version}`,
    unit: "requests in flight",
    total: ROUNDS * REQUESTS,
    run: ({ count }) => run(version, count(ROUNDS)),
  })),
};
