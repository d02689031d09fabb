"use strict";

const os = require("node:os");
const { formatRow } = require("../rows.js");
const { median } = require("../statistics.js");
const { createDatabase } = require("../stores/databases.js");
const { startConstant, startLoad, startServer } = require("../stores/program.js");
const { addRoutedOrg, fetchAnswer } = require("../stores/questions.js");
const { atLeast } = require("../targets.js");

const ROUNDS = 5;

/** In seconds. */
const SAMPLE = 1;
const WARM_UP = 4;

/** Servers that answer with the same bytes, whatever they are asked, and how the real one is to compare. */
const PEERS = {
  "bare Express, createServer": atLeast(0.85),
  "bare Express, app.listen": undefined,
  "node:http": undefined,
};

/** Beside two processes the load needs a core of its own. */
const CORES = 3;

module.exports = [webfinger("sqlite"), webfinger("postgresql"), processes()];

/** The server with all that it does against servers that say the same. */
function webfinger(engine) {
  const name = `server/webfinger/${engine}`;
  return { name, measure: () => withServers(engine, measure) };

  async function measure(start) {
    const server = await start(startServer);
    const servers = { ours: server };
    const answer = await fetchAnswer(server.url);
    for (const peer of Object.keys(PEERS)) servers[peer] = await start(() => startConstant(peer, answer));

    const { ours, ...peers } = await sampleInTurns(servers);
    return Object.entries(peers).map(([peer, samples]) => ({
      ...compareFigure("cpu", { name, peerName: peer, ours, peer: samples, target: PEERS[peer] }),
      throughput: { ours: median(ours.map(({ rate }) => rate)), peer: median(samples.map(({ rate }) => rate)) },
    }));
  }
}

/** Two processes of the server against one. */
function processes() {
  const name = "server/processes";
  return { name, measure: () => withServers("postgresql", measure) };

  async function measure(start) {
    const servers = {
      one: await start(startServer),
      two: await start((database) => startServer(database, { args: ["--workers", "2"] })),
    };
    const { one, two } = await sampleInTurns(servers);
    const target = os.availableParallelism() < CORES ? undefined : atLeast(1.7);
    return [compareFigure("time", { name, peerName: "one process", ours: two, peer: one, target })];
  }
}

/** Give `work` a function that starts processes on a database with a routed org; end them all after it. */
async function withServers(engine, work) {
  const database = await createDatabase(engine);
  const programs = [];
  try {
    await addRoutedOrg(database);
    return await work(async (start) => {
      const program = start(database);
      programs.push(program);
      program.url = await program.listening();
      return program;
    });
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    await database.drop();
  }
}

/** What each server takes for a request, in µs of processor time and of the clock, one sample of each round. */
async function sampleInTurns(servers) {
  const load = startLoad();
  try {
    const samples = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
    for (const server of Object.values(servers)) await sample(server, load, WARM_UP);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, server] of Object.entries(servers)) samples[name].push(await sample(server, load, SAMPLE));
    }
    return samples;
  } finally {
    await load.stop();
  }
}

async function sample(server, load, seconds) {
  const before = await server.ask("usage");
  const { requests } = await load.ask({ url: server.url, seconds });
  const after = await server.ask("usage");
  const elapsed = after.time - before.time;
  return {
    cpu: (after.cpu - before.cpu) / requests,
    time: (elapsed * 1_000) / requests,
    rate: (requests * 1_000) / elapsed,
  };
}

function compareFigure(figure, { name, peerName, ours, peer, target }) {
  const figuresOf = (samples) => samples.map((sample) => sample[figure]);
  const unit = figure === "cpu" ? "µs CPU" : "µs";
  return formatRow({ name, peerName, unit, samples: { ours: figuresOf(ours), peer: figuresOf(peer) }, target });
}
