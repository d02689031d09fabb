"use strict";

const { Unavailable } = require("../../kit/unavailable.js");
const { matters, wholeRequests } = require("../http/measure.js");
const { findNode, VERSIONS } = require("../nodes.js");

/** The servers that each server of ours is compared with. */
const PEERS = {
  get: {
    "create-server": ["express-5", "packages", "fastify", "fastify-plugins", "node-http", "express-5-server"],
    batching: ["express-5", "fastify", "node-http", "create-server"],
    listen: ["express-5", "packages"],
    "create-server-4": ["express-4", "express-4-server"],
    "listen-4": ["express-4"],
    "express-5-server": ["express-5", "node-http"],
    "express-4-server": ["express-4"],
  },
  "get-behind-100": { "create-server": ["express-5"] },
  "post-1k": {
    "create-server": ["express-5", "fastify", "packages", "node-http"],
    listen: ["express-5"],
    "create-server-4": ["express-4"],
    "listen-4": ["express-4"],
  },
  "post-64k": {
    "create-server": ["express-5", "fastify", "packages", "node-http"],
    listen: ["express-5"],
    "create-server-4": ["express-4"],
    "listen-4": ["express-4"],
  },
};

/** Whose ratio is none on a later Node, where V8 has nothing to cure. */
const ONLY_OLD = [
  { ours: "express-5-shapes", peer: "express-5" },
  { ours: "express-4-shapes", peer: "express-4" },
];

module.exports = [
  ...Object.keys(PEERS).map((name) => createCase(name, { comparisons: comparisonsOf(name) })),
  wholeRequests({
    name: "get/only-node-20-and-22",
    workload: "get",
    comparisons: ONLY_OLD,
    findNode() {
      if (Number.parseInt(process.versions.node, 10) >= 24) throw new Unavailable("Node 24 and later gain nothing");
      return process.execPath;
    },
  }),
  ...VERSIONS.flatMap((version) => Object.keys(PEERS).map((name) => onNode(version, name))),
];

/** The same on another Node; only what has a target there, on Express 5, to save time. */
function onNode(version, name) {
  const prefixed = `node-${version}/${name}`;
  const comparisons = comparisonsOf(name).filter((servers) => matters(prefixed, servers));
  return createCase(name, { name: prefixed, comparisons, findNode: () => findNode(version) });
}

function createCase(name, options) {
  const [workload, behind] = name.split("-behind-");
  return wholeRequests({ name, workload, suffix: behind && `-behind-${behind}`, ...options });
}

function comparisonsOf(name) {
  return Object.entries(PEERS[name]).flatMap(([ours, peers]) =>
    peers.map((peer, index) => ({ ours, peer, resident: name === "get" && ours === "create-server" && index === 0 })),
  );
}
