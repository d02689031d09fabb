"use strict";

const path = require("node:path");
const { Program } = require("../../kit/program.js");
const { findNode, OWN_VERSION, VERSIONS } = require("../nodes.js");
const { formatRow } = require("../rows.js");

/** What each server of ours is compared with, by the workload. */
const PEERS = {
  get: {
    "create-server": ["express-5", "bound", "express-5-server", "fastify", "fastify-plugins", "node-http", "packages"],
    listen: ["express-5"],
    "express-5-server": ["express-5"],
  },
  list: { "create-server": ["express-5", "bound"] },
  page: { "create-server": ["express-5", "bound"] },
  webfinger: { "create-server": ["express-5", "bound"] },
  "not-found": { "create-server": ["packages"] },
  invalid: { "create-server": ["packages"] },
  "not-modified": { "create-server": ["packages"] },
  preflight: { "create-server": ["packages"] },
};

const VARIANTS = ["repeated", "unseen"];

/** Rounds, and those before the first that counts. */
const ROUNDS = 60;
const WARM_UP = 40;

/** Whole requests without the network, whose part is the same for every server and hides what they differ in. */
module.exports = [
  ...Object.keys(PEERS).map((workload) => createCase(`without-kernel/${workload}`, workload)),
  ...VERSIONS.flatMap((version) =>
    Object.keys(PEERS).map((workload) => createCase(`node-${version}/without-kernel/${workload}`, workload, version)),
  ),
];

function createCase(name, workload, version = OWN_VERSION) {
  return { name, measure };

  async function measure({ effort = 1 } = {}) {
    const rows = [];
    for (const variant of VARIANTS) {
      const [warmUp, rounds] = [WARM_UP, ROUNDS].map((count) => Math.ceil(count * effort));
      const samples = await sample({ workload, variant, warmUp, rounds }, findNode(version));
      const compared = Object.entries(PEERS[workload]).flatMap(([ours, peers]) => peers.map((peer) => [ours, peer]));
      for (const [ours, peer] of compared) {
        rows.push(
          formatRow({
            name: ours === "create-server" ? `${name}/${variant}` : `${name}/${variant}/${ours}`,
            peerName: peer,
            unit: "µs CPU",
            samples: { ours: samples[ours], peer: samples[peer] },
          }),
        );
      }
    }
    return rows;
  }
}

/** Each workload has a process of its own, so that none finds what another left in memory. */
async function sample(message, execPath) {
  const names = new Set(Object.entries(PEERS[message.workload]).flat(2));
  const program = new Program(path.join(__dirname, "../without-kernel/run.js"), [], { execPath });
  try {
    const { samples } = await program.ask({ ...message, names: [...names] });
    return samples;
  } finally {
    await program.stop();
  }
}
