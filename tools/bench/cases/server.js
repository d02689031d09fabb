"use strict";

const { formatFigureRow, formatRequestRow, sampleInTurns } = require("../http/rounds.js");
const { findNode: pathOf, VERSIONS } = require("../nodes.js");
const { createDatabase } = require("../stores/databases.js");
const { startConstant, startLoad, startServer } = require("../stores/program.js");
const { addListedOrg, addRoutedOrg, fetchAnswer } = require("../stores/questions.js");

/** In seconds. */
const SAMPLE = 0.5;

/** How many requests a server answers first, until V8 has compiled what they need. */
const WARM_UP = 30_000;

/** Servers that answer with the same bytes, whatever they are asked. */
const PEERS = ["bare Express, createServer", "bare Express, app.listen", "node:http"];

module.exports = [
  webfinger("server/webfinger/sqlite", "sqlite", PEERS),
  webfinger("server/webfinger/postgresql", "postgresql", PEERS),
  users("server/users/sqlite"),
  processes(),
  ...VERSIONS.flatMap((version) => {
    const findNode = () => pathOf(version);
    return [
      webfinger(`node-${version}/server/webfinger/sqlite`, "sqlite", PEERS.slice(0, 1), findNode),
      users(`node-${version}/server/users/sqlite`, findNode),
    ];
  }),
];

/** The server with all that it does against servers that say the same. */
function webfinger(name, engine, peers, findNode) {
  return { name, measure };

  async function measure({ effort } = {}) {
    return withServers(engine, addRoutedOrg, async (start) => {
      const servers = await startPeers(start, peers, findNode);
      const repeated = await compare(name, servers, { effort });
      return [...repeated, ...(await compare(`${name}/unseen`, servers, { unseen: true, effort }))];
    });
  }
}

/** A list of twenty users. */
function users(name, findNode) {
  return { name, measure };

  async function measure({ effort } = {}) {
    return withServers("sqlite", addListedOrg, async (start, requests) => {
      return compare(name, await startPeers(start, PEERS.slice(0, 1), findNode, requests), { requests, effort });
    });
  }
}

/** The server and its peers, by name. */
async function startPeers(start, peers, findNode, requests) {
  const options = { execPath: findNode?.() };
  const ours = await start((database) => startServer(database, options));
  const answer = await fetchAnswer(ours.url, requests);
  const servers = { ours };
  for (const peer of peers) servers[peer] = await start(() => startConstant(peer, answer, options));
  return servers;
}

/** A row for each peer. */
async function compare(name, { ours, ...peers }, load) {
  const names = Object.keys(peers);
  const comparisons = names.map((peer) => ({ ours: "ours", peer }));
  const results = await sampleServers({ ours, ...peers }, comparisons, "cpu", load);
  return results.map((samples, index) => formatRequestRow({ name, peerName: names[index], ...samples }));
}

/** Two processes of the server against one, and what the load takes of the same processors. */
function processes() {
  const name = "server/processes";
  return { name, measure: () => withServers("postgresql", addRoutedOrg, measure) };

  async function measure(start) {
    const one = await start(startServer);
    const two = await start((database) => startServer(database, { args: ["--workers", "2"] }));
    const [samples] = await sampleServers({ one, two }, [{ ours: "two", peer: "one" }], "time");
    const row = { peerName: "one process", ...samples };
    return [
      formatFigureRow({ ...row, name, unit: "µs", figure: "time" }),
      formatFigureRow({ ...row, name: `${name}/load`, unit: "µs CPU", figure: "load" }),
    ];
  }
}

/** Give `work` a function that starts processes on a database, and what `fill` made of it; end them all after it. */
async function withServers(engine, fill, work) {
  const database = await createDatabase(engine);
  const programs = [];
  try {
    const filled = await fill(database);
    const run = async (start) => {
      const program = start(database);
      programs.push(program);
      program.url = await program.listening();
      return program;
    };
    return await work(run, filled);
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    await database.drop();
  }
}

/**
 * What servers take for a request, in µs of processor time and of the clock.
 *
 * @param load what is sent, see `load.js`
 */
async function sampleServers(servers, comparisons, figure, { effort, ...load } = {}) {
  const client = startLoad();
  const sampleOf = (name, length) => sample(servers[name], client, { ...load, ...length });
  try {
    for (const name of Object.keys(servers)) await sampleOf(name, { amount: WARM_UP });
    return await sampleInTurns(comparisons, figure, (name) => sampleOf(name, { seconds: SAMPLE }), effort);
  } finally {
    await client.stop();
  }
}

async function sample(server, client, load) {
  const before = await Promise.all([server.usage(), client.usage()]);
  const { requests } = await client.ask({ ...load, url: server.url });
  const after = await Promise.all([server.usage(), client.usage()]);
  const [[ownBefore, loadBefore], [own, loaded]] = [before, after];
  const elapsed = own.time - ownBefore.time;
  return {
    cpu: (own.cpu - ownBefore.cpu) / requests,
    load: (loaded.cpu - loadBefore.cpu) / requests,
    time: (elapsed * 1_000) / requests,
    rate: (requests * 1_000) / elapsed,
  };
}
