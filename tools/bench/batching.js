"use strict";

/**
 * `node tools/bench/batching.js` prints what `batch` of `createServer` does, by the request, the connections and the load
 * generators: processor time of the server for a response, responses a second, and how long a response takes. Takes
 * about four minutes.
 */
const path = require("node:path");
const { Program } = require("../kit/program.js");
const { median, p99 } = require("../kit/statistics.js");
const { startServer } = require("./http/fleet.js");

/** A body of 64 KB in ASCII. */
const BODY = JSON.stringify({ users: Array(200).fill({ login: "joe.1@example.com", text: "x".repeat(280) }) });

const WORKLOADS = [
  { name: "GET, 300 bytes", path: "/300" },
  { name: "GET, 12 KB", path: "/12000" },
  { name: "GET, 64 KB", path: "/65536" },
  { name: "POST, 64 KB", path: "/body", body: BODY },
];

const CONNECTIONS = [1, 2, 4, 32, 256];
const GENERATORS = [1, 2];
const ROUNDS = 6;

/** In seconds. */
const SAMPLE = 0.4;
const WARM_UP = 1;

/** Servers of each kind: the same code in another process can differ by some per cent. */
const PAIRS = 2;

process.env.NODE_ENV = "production";

async function main() {
  const pairs = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    pairs.push({ off: await startServer("batch-off"), on: await startServer("batch-on") });
  }
  const servers = pairs.flatMap(Object.values);
  const loads = GENERATORS.map(() => new Program(path.join(__dirname, "http/closed-loop.js")));

  console.log(`Node ${process.versions.node}\n`);
  console.log("| request | connections | generators | CPU, µs | × | responses/s | p50, ms | p99, ms |");
  console.log("| ------- | ----------: | ---------: | ------: | -: | ----------: | ------: | ------: |");
  for (const { name, ...workload } of WORKLOADS) {
    for (const server of servers) await sample(server, loads, { ...workload, connections: 32 }, WARM_UP);
    for (const connections of CONNECTIONS) {
      for (const count of GENERATORS.filter((number) => number <= connections)) {
        const samples = await sampleInTurns(pairs, loads.slice(0, count), { ...workload, connections });
        console.log(`| ${[name, connections, count, ...formatCells(samples)].join(" | ")} |`);
      }
    }
  }
  for (const program of [...servers, ...loads]) await program.stop();
}

/** Off, on, on, off, …, so that neither profits from its place. */
async function sampleInTurns(pairs, loads, workload) {
  const samples = { off: [], on: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Math.floor(round / PAIRS) % 2 === 0 ? ["off", "on"] : ["on", "off"]) {
      samples[name].push(await sample(pairs[round % PAIRS][name], loads, workload, SAMPLE));
    }
  }
  return samples;
}

async function sample(server, loads, { connections, ...workload }, seconds) {
  const message = { ...workload, port: server.port, connections: connections / loads.length, seconds };
  const before = await server.usage();
  const answers = await Promise.all(loads.map((load) => load.ask(message)));
  const after = await server.usage();
  const times = answers.flatMap((answer) => answer.times);
  return {
    cpu: (after.cpu - before.cpu) / times.length,
    rate: (times.length * 1_000) / (after.time - before.time),
    p50: median(times),
    p99: p99(times),
  };
}

function formatCells({ off, on }) {
  const ratio = median(off.map(({ cpu }, round) => cpu / on[round].cpu));
  const both = (figure, digits) =>
    [off, on].map((samples) => median(samples.map((one) => one[figure])).toFixed(digits)).join(" → ");
  return [both("cpu", 1), ratio.toFixed(2), both("rate", 0), both("p50", 2), both("p99", 2)];
}

void main();
