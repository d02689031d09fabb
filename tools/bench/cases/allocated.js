"use strict";

const { findNode, OWN_VERSION, VERSIONS } = require("../nodes.js");
const { formatRow } = require("../rows.js");
const { countBytes } = require("../without-kernel/counting.js");

/** On Node 22, requests fail with the flags that count bytes, those to Express alone too. */
const COUNTED = VERSIONS.filter((version) => version !== "22");

const VARIANTS = ["repeated", "unseen"];

/** What a GET allocates, Node's and Express's part included. */
module.exports = [
  createCase("allocated/get"),
  ...COUNTED.map((version) => createCase(`node-${version}/allocated/get`, version)),
];

function createCase(name, version = OWN_VERSION) {
  return { name, measure };

  async function measure() {
    const execPath = findNode(version);
    const rows = [];
    for (const variant of VARIANTS) {
      const message = { workload: "get", variant };
      const ours = await countBytes(message, execPath);
      const peer = await countBytes({ ...message, server: "express-5" }, execPath);
      const samples = { ours: [ours], peer: [peer] };
      rows.push(formatRow({ name: `${name}/${variant}`, peerName: "express-5", unit: "bytes", samples }));
    }
    return rows;
  }
}
