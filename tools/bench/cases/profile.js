"use strict";

const path = require("node:path");
const { Program } = require("../../kit/program.js");
const { findNode, OWN_VERSION, VERSIONS } = require("../nodes.js");
const { formatRow } = require("../rows.js");
const { createDatabase } = require("../stores/databases.js");
const { startLoad, startServer } = require("../stores/program.js");
const { addListedOrg, addRoutedOrg } = require("../stores/questions.js");

/** Rounds, and those before the first that counts. */
const ROUNDS = 9;
const WARM_UP_ROUNDS = 4;

/** How many requests the bundled server answers first. */
const WARM_UP = 30_000;

/** In seconds. */
const SAMPLE = 1;

/** Where the time of a GET goes, by the server of `apps.js`; without the network. */
const SERVERS = { suite: "create-server", "express-5": "express-5" };

/** Where the time of the bundled server goes: what fills its database, and the load, of what that returned. */
const REQUESTS = {
  "webfinger/unseen": { fill: addRoutedOrg, loadOf: () => ({ unseen: true }) },
  users: { fill: addListedOrg, loadOf: (requests) => ({ requests }) },
};

module.exports = [
  createCase("profile/get", profileGet),
  createCase("profile/server", profileServer),
  ...VERSIONS.flatMap((version) => [
    createCase(`node-${version}/profile/get`, profileGet, version),
    createCase(`node-${version}/profile/server`, profileServer, version),
  ]),
];

function createCase(name, profile, version = OWN_VERSION) {
  return { name, measure: ({ effort = 1 } = {}) => profile(name, findNode(version), Math.ceil(ROUNDS * effort)) };
}

async function profileGet(name, execPath, rounds) {
  const rows = [];
  for (const variant of ["repeated", "unseen"]) {
    for (const [label, server] of Object.entries(SERVERS)) {
      const program = new Program(path.join(__dirname, "../without-kernel/profile.js"), [], { execPath });
      try {
        const { samples } = await program.ask({ workload: "get", variant, server, rounds, warmUp: WARM_UP_ROUNDS });
        rows.push(...formatParts(`${name}/${variant}/${label}`, samples));
      } finally {
        await program.stop();
      }
    }
  }
  return rows;
}

async function profileServer(name, execPath, rounds) {
  const rows = [];
  for (const [label, { fill, loadOf }] of Object.entries(REQUESTS)) {
    const database = await createDatabase("sqlite");
    try {
      const load = loadOf(await fill(database));
      const samples = await sampleParts(database, load, { execPath, rounds });
      rows.push(...formatParts(`${name}/${label}`, samples));
    } finally {
      await database.drop();
    }
  }
  return rows;
}

/** µs of a request to the server by the part, one object of each round. */
async function sampleParts(database, load, { execPath, rounds }) {
  const [server, client] = [startServer(database, { execPath, env: { PROFILE: "true" } }), startLoad()];
  try {
    const url = await server.listening();
    await client.ask({ ...load, url, amount: WARM_UP });
    const counts = [];
    for (let round = 0; round < rounds; round++) {
      await server.ask({ ask: "mark" });
      const { requests } = await client.ask({ ...load, url, seconds: SAMPLE });
      await server.ask({ ask: "mark" });
      counts.push(requests);
    }
    const spans = await server.ask({ ask: "parts" });
    return spans.map((times, round) => {
      return Object.fromEntries(Object.entries(times).map(([part, time]) => [part, time / counts[round]]));
    });
  } finally {
    await Promise.all([server.stop(), client.stop()]);
  }
}

/** A row for each part, the largest first. */
function formatParts(name, samples) {
  const parts = [...new Set(samples.flatMap((sample) => Object.keys(sample)))];
  const rows = parts.map((part) =>
    formatRow({
      name: `${name}/${part}`,
      unit: "µs",
      samples: { ours: samples.map((sample) => sample[part] ?? 0) },
    }),
  );
  return rows.sort((a, b) => b.ours - a.ours);
}
