"use strict";

const path = require("node:path");
const { Program } = require("../../kit/program.js");
const fleet = require("../http/fleet.js");
const { findNode, OWN_VERSION, VERSIONS } = require("../nodes.js");
const { formatRow } = require("../rows.js");
const { createDatabase } = require("../stores/databases.js");
const { startLoad, startServer } = require("../stores/program.js");
const { addListedOrg, addRoutedOrg } = require("../stores/questions.js");

/** Rounds, and those before the first that counts. */
const ROUNDS = 9;
const WARM_UP_ROUNDS = 4;

/** How many requests a server under load answers first. */
const WARM_UP = 30_000;

/** In seconds. */
const SAMPLE = 1;

/** Makes `probe.js` profile a process. */
const PROFILED = { PROFILE: "true" };

/** Where the time of a request goes without the network: by the workload its variants, and its servers of `apps.js`. */
const WITHOUT_KERNEL = {
  get: {
    variants: ["repeated", "unseen"],
    servers: {
      suite: "create-server",
      listen: "listen",
      "express-5": "express-5",
      "fastify-plugins": "fastify-plugins",
    },
  },
  preflight: { variants: ["unseen"], servers: { suite: "create-server", packages: "packages" } },
};

/** Where it goes under load over the network of the machine: the servers of `servers.js` by the workload. */
const UNDER_LOAD = {
  get: ["batching", "create-server", "express-5", "fastify"],
  "post-1k": ["create-server", "express-5", "fastify"],
};

/** Where the time of the bundled server goes: what fills its database, and the load, of what that returned. */
const REQUESTS = {
  "webfinger/unseen": { fill: addRoutedOrg, loadOf: () => ({ unseen: true }) },
  users: { fill: addListedOrg, loadOf: (requests) => ({ requests }) },
};

/** What measures a case, by the end of its name. */
const CASES = {
  get: profileWithoutKernel("get"),
  preflight: profileWithoutKernel("preflight"),
  load: profileUnderLoad,
  server: profileServer,
};

module.exports = ["", ...VERSIONS.map((version) => `node-${version}/`)].flatMap((prefix, index) =>
  Object.entries(CASES).map(([end, profile]) => createCase(`${prefix}profile/${end}`, profile, VERSIONS[index - 1])),
);

function createCase(name, profile, version = OWN_VERSION) {
  return { name, measure: ({ effort = 1 } = {}) => profile(name, findNode(version), Math.ceil(ROUNDS * effort)) };
}

function profileWithoutKernel(workload) {
  const { variants, servers } = WITHOUT_KERNEL[workload];
  return async (name, execPath, rounds) => {
    const rows = [];
    for (const variant of variants) {
      for (const [label, server] of Object.entries(servers)) {
        const program = new Program(path.join(__dirname, "../without-kernel/profile.js"), [], { execPath });
        try {
          const { samples } = await program.ask({ workload, variant, server, rounds, warmUp: WARM_UP_ROUNDS });
          rows.push(...formatParts(`${name}/${variant}/${label}`, samples));
        } finally {
          await program.stop();
        }
      }
    }
    return rows;
  };
}

async function profileUnderLoad(name, execPath, rounds) {
  const rows = [];
  for (const [workload, servers] of Object.entries(UNDER_LOAD)) {
    for (const label of servers) {
      const [server, load] = [await fleet.startServer(label, { execPath, env: PROFILED }), fleet.startLoad()];
      const { port } = server;
      const send = async (length) => {
        const before = await server.usage();
        const { failures } = await load.ask({ port, workload, ...length });
        if (failures > 0) throw new Error(`${label} failed ${failures} requests of ${workload}`);
        return (await server.usage()).responses - before.responses;
      };
      try {
        rows.push(...formatParts(`${name}/${workload}/${label}`, await sampleParts(server, send, rounds)));
      } finally {
        await Promise.all([server.stop(), load.stop()]);
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
      const [server, client] = [startServer(database, { execPath, env: PROFILED }), startLoad()];
      try {
        const url = await server.listening();
        const send = async (length) => (await client.ask({ ...load, url, ...length })).requests;
        rows.push(...formatParts(`${name}/${label}`, await sampleParts(server, send, rounds)));
      } finally {
        await Promise.all([server.stop(), client.stop()]);
      }
    } finally {
      await database.drop();
    }
  }
  return rows;
}

/**
 * µs of a request to a server by the part, one object of each round.
 *
 * @param send sends `{ amount }` requests, or for some `{ seconds }`; promises how many were answered
 */
async function sampleParts(server, send, rounds) {
  await send({ amount: WARM_UP });
  const counts = [];
  for (let round = 0; round < rounds; round++) {
    await server.ask({ ask: "mark" });
    counts.push(await send({ seconds: SAMPLE }));
    await server.ask({ ask: "mark" });
  }
  const spans = await server.ask({ ask: "parts" });
  return spans.map((times, round) => {
    return Object.fromEntries(Object.entries(times).map(([part, time]) => [part, time / counts[round]]));
  });
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
