"use strict";

const { formatFigureRow, formatRequestRow, sampleInTurns } = require("../http/rounds.js");
const { findNode: pathOf, VERSIONS } = require("../nodes.js");
const { createDatabase } = require("../stores/databases.js");
const { startConstant, startLoad, startServer } = require("../stores/program.js");
const { addRoutedOrg, fetchAnswer } = require("../stores/questions.js");

/** In seconds. */
const SAMPLE = 0.5;
const WARM_UP = 4;

/** Servers that answer with the same bytes, whatever they are asked. */
const PEERS = ["bare Express, createServer", "bare Express, app.listen", "node:http"];

module.exports = [
  webfinger("server/webfinger/sqlite", "sqlite", PEERS),
  webfinger("server/webfinger/postgresql", "postgresql", PEERS),
  processes(),
  ...VERSIONS.map((version) => {
    const findNode = () => pathOf(version);
    return webfinger(`node-${version}/server/webfinger/sqlite`, "sqlite", PEERS.slice(0, 1), findNode);
  }),
];

/** The server with all that it does against servers that say the same. */
function webfinger(name, engine, peers, findNode) {
  return { name, measure };

  function measure({ effort } = {}) {
    const options = { execPath: findNode?.() };
    return withServers(engine, async (start) => {
      const ours = await start((database) => startServer(database, options));
      const answer = await fetchAnswer(ours.url);
      const servers = { ours };
      for (const peer of peers) servers[peer] = await start(() => startConstant(peer, answer, options));
      const comparisons = peers.map((peer) => ({ ours: "ours", peer }));
      const rows = [];
      for (const [row, unseen] of [
        [name, false],
        [`${name}/unseen`, true],
      ]) {
        const results = await sampleServers(servers, comparisons, "cpu", { unseen, effort });
        rows.push(
          ...results.map((samples, index) => formatRequestRow({ name: row, peerName: peers[index], ...samples })),
        );
      }
      return rows;
    });
  }
}

/** Two processes of the server against one. */
function processes() {
  const name = "server/processes";
  return { name, measure: () => withServers("postgresql", measure) };

  async function measure(start) {
    const one = await start(startServer);
    const two = await start((database) => startServer(database, { args: ["--workers", "2"] }));
    const [samples] = await sampleServers({ one, two }, [{ ours: "two", peer: "one" }], "time");
    return [formatFigureRow({ name, peerName: "one process", unit: "µs", figure: "time", ...samples })];
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

/** What servers take for a request, in µs of processor time and of the clock. */
async function sampleServers(servers, comparisons, figure, { unseen = false, effort } = {}) {
  const load = startLoad();
  try {
    for (const server of Object.values(servers)) await sample(server, load, WARM_UP, unseen);
    return await sampleInTurns(comparisons, figure, (name) => sample(servers[name], load, SAMPLE, unseen), effort);
  } finally {
    await load.stop();
  }
}

async function sample(server, load, seconds, unseen) {
  const before = await server.usage();
  const { requests } = await load.ask({ url: server.url, seconds, unseen });
  const after = await server.usage();
  const elapsed = after.time - before.time;
  return {
    cpu: (after.cpu - before.cpu) / requests,
    time: (elapsed * 1_000) / requests,
    rate: (requests * 1_000) / elapsed,
  };
}
