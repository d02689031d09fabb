"use strict";

const tls = require("node:tls");
const { setTimeout: sleep } = require("node:timers/promises");
const { OTHER_VERSIONS, requireNode } = require("../../kit/versions.js");
const { connectTcp, perform } = require("../load/raw-connection.js");
const { createExchange } = require("../load/raw-requests.js");
const { checkResponses } = require("../load/raw-responses.js");
const { versionOf } = require("../../kit/machine.js");
const { formatBytes } = require("../format.js");
const { mixSeed, Random } = require("../random.js");
const { inParallel } = require("../servers/client.js");
const { createDatabase } = require("../servers/databases.js");
const { org } = require("../servers/orgs.js");
const { ifSupported, importDocument, startServer } = require("../servers/server.js");

const TOTAL = 1_000_000;

/** Connections at a time. */
const WIDTH = 64;

/** In milliseconds. */
const MAX_WAIT = 1_000;

/** The share of connections that go to the port with TLS, most of which never speak TLS. */
const TLS_SHARE = 0.02;

/** What answers a version or a method that HTTP has and this server has not: no failure of its own. */
const DELIBERATE = new Set(["501", "505"]);

function createRun(version, index) {
  const total = Math.floor(TOTAL / OTHER_VERSIONS.length) + (index < TOTAL % OTHER_VERSIONS.length ? 1 : 0);
  return {
    name: `node-${version}`,
    unit: "requests",
    total,
    run: (context) => run(version, context.count(total), context.seed),
  };
}

async function run(version, total, seed) {
  const execPath = requireNode(version);
  const args = ifSupported("--rate-limits", "off");
  const plain = await startServer(await createOrg(), { execPath, args });
  const secure = await startServer(await createOrg(), { execPath, args, tls: true });
  const before = await plain.usage({ collect: true });
  const tally = { requests: 0, connections: 0, faults: [], fell: 0, slow: [], responses: 0, failures: [] };
  const each = { seed, version, plain, secure, tally };

  while (tally.requests < total && plain.isRunning && secure.isRunning) {
    const first = tally.connections;
    await inParallel(512, WIDTH, (offset) => tryConnection(first + offset, each));
    await repeatSlow(each);
    await explainFailures(tally, plain);
  }
  const after = plain.isRunning ? await plain.usage({ collect: true }) : before;
  for (const server of [plain, secure]) checkServer(server, tally);
  const lost = Math.min(tally.requests, tally.fell);
  const result = {
    tried: tally.requests,
    survived: tally.requests - lost,
    faults: tally.faults,
    versions: { Node: versionOf(execPath) },
    figures: {
      connections: String(tally.connections),
      responses: String(tally.responses),
      "resident memory before and after": `${formatBytes(before.resident)} and ${formatBytes(after.resident)}`,
    },
  };
  for (const server of [plain, secure]) await server.stop();
  return result;
}

async function tryConnection(index, run) {
  const { tally } = run;
  const { exchange, fault, isSlow } = await converse(index, run);
  tally.requests += exchange.count;
  tally.connections += 1;
  if (isSlow) tally.slow.push(index);
  else if (fault !== undefined) blame(tally, index, exchange, fault);
}

/** The machine can be busy: only a connection that is slow again, alone, is slow. */
async function repeatSlow(run) {
  for (const index of run.tally.slow.splice(0)) {
    const { exchange, fault, isSlow, wait } = await converse(index, run);
    const slowness = isSlow ? `the connection was open ${wait.toFixed(0)} ms after the last byte` : undefined;
    if (fault ?? slowness) blame(run.tally, index, exchange, fault ?? slowness);
  }
}

function blame(tally, index, exchange, fault) {
  tally.fell += exchange.count;
  tally.faults.push(
    `connection ${index}: ${fault}, after ${JSON.stringify(exchange.bytes.toString("latin1").slice(0, 600))}`,
  );
}

async function converse(index, { seed, version, plain, secure, tally }) {
  const random = new Random(mixSeed(seed, version, index));
  const exchange = createExchange(random);
  const isSecure = random.isLikely(TLS_SHARE);
  const speaksTls = isSecure && random.isLikely(0.3);
  const connect = speaksTls ? connectTls(secure.port) : connectTcp(isSecure ? secure.port : plain.port);
  const { text, wait, isOpen } = await perform(exchange, connect);

  const { statuses, failures, fault } = checkResponses(isSecure && !speaksTls ? afterAlert(text) : text, {
    methods: exchange.methods,
    isComplete: exchange.methods !== undefined && !isSecure,
  });
  tally.responses += statuses.length;
  tally.failures.push(...(isSecure ? [] : failures));
  return { exchange, wait, fault, isSlow: isOpen || wait > MAX_WAIT };
}

/** A 5xx must have a line in the log that says why. The log is written with a delay. */
async function explainFailures(tally, server) {
  const failures = tally.failures.splice(0).filter(({ status }) => !DELIBERATE.has(String(status)));
  if (failures.length === 0) return;
  await sleep(300);
  for (const { status, code, id } of failures) {
    if (status === 503 && server.findLine(id)?.err) continue;
    tally.fell += 1;
    tally.faults.push(
      `${status} ${code} for ${id}: ${JSON.stringify(server.findLine(id) ?? "without a line in the log")}`,
    );
  }
}

/** The server must live, and must not have written anything but lines about requests. */
function checkServer(server, tally) {
  const strange = server.lines.filter(({ text }) => text !== undefined && !/^(?:Try it: |Wrote |$)/.test(text));
  if (!server.isRunning) strange.unshift({ text: "the server ended" });
  tally.fell += strange.length;
  tally.faults.push(...strange.map(({ text }) => text));
}

/** A TLS server refuses plain text with an alert record. */
function afterAlert(text) {
  return text.startsWith("\x15\x03") ? "" : text;
}

function connectTls(port) {
  return () => tls.connect({ host: "127.0.0.1", port, rejectUnauthorized: false, servername: "localhost" });
}

async function createOrg() {
  const database = await createDatabase("sqlite");
  await importDocument(database, { orgs: [org("demo")] });
  return database;
}

module.exports = {
  name: "sockets",
  claim: `Requests written to sockets byte by byte: sound ones in pipelines, and ones with wrong framing, wrong lines, wrong
bodies, edited at random, dripped, half-closed, cut off, and other protocols, also where the server expects TLS. Held: the server
never ends and writes nothing but its log, each connection ends within 1 s of the last byte, each response is a success or the
error object with the id of the request, each sound request has its response, and no 5xx lacks a cause in the log.`,
  runs: OTHER_VERSIONS.map(createRun),
};
