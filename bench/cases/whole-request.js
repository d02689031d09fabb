"use strict";

const { existsSync } = require("node:fs");
const { Unavailable } = require("../piece.js");
const { wholeRequests } = require("../http/measure.js");
const { atLeast, atMost } = require("../targets.js");

/** What each server of ours is held against, and how many times as much it is to do with the same processor time. */
const COMPARISONS = {
  get: [
    compare("create-server", "express-5", 2.5),
    compare("create-server", "packages", 6),
    compare("create-server", "fastify"),
    compare("create-server", "node-http"),
    compare("create-server", "express-5-server"),
    compare("batching", "fastify", 1.3),
    compare("batching", "node-http", 1),
    compare("batching", "create-server"),
    compare("listen", "express-5", 0.95),
    compare("listen", "packages"),
    compare("create-server-4", "express-4", 2.5),
    compare("create-server-4", "express-4-server"),
    compare("listen-4", "express-4", 0.95),
    compare("express-5-server", "express-5"),
    compare("express-5-server", "node-http"),
    compare("express-4-server", "express-4"),
    compare("express-5-shapes", "express-5"),
    compare("express-4-shapes", "express-4"),
  ],
  "post-1k": [
    compare("create-server", "express-5", 2.6),
    compare("create-server", "fastify", 0.9),
    compare("create-server", "packages"),
    compare("create-server", "node-http"),
    compare("listen", "express-5", 1.05),
    compare("create-server-4", "express-4", 2.6),
    compare("listen-4", "express-4", 1.05),
  ],
  "post-64k": [
    compare("create-server", "express-5", 1.15),
    compare("create-server", "packages"),
    compare("create-server", "fastify"),
    compare("create-server", "node-http"),
    compare("listen", "express-5", 1.05),
    compare("create-server-4", "express-4", 1.15),
    compare("listen-4", "express-4", 1.05),
  ],
};

const RESIDENT = { ours: "create-server", peer: "express-5", target: atMost(75) };

module.exports = Object.entries(COMPARISONS).map(([workload, comparisons]) =>
  wholeRequests({ name: workload, workload, comparisons, resident: workload === "get" ? RESIDENT : undefined }),
);

for (const version of ["22", "24"]) {
  for (const [workload, comparisons] of Object.entries(COMPARISONS)) {
    module.exports.push(onNode(version, workload, comparisons));
  }
}

/** The same on another Node, when the environment says where it is; what has a target, on Express 5, to save time. */
function onNode(version, workload, comparisons) {
  const execPath = process.env[`NODE_${version}`];
  const { name, measure, release } = wholeRequests({
    name: `node-${version}/${workload}`,
    workload,
    comparisons: comparisons
      .filter(({ ours, target }) => target && !ours.endsWith("-4"))
      .map((comparison) => (version === "24" ? onNode24(comparison, workload) : comparison)),
    execPath,
  });
  return {
    name,
    measure() {
      if (!execPath || !existsSync(execPath)) throw new Unavailable(`NODE_${version} does not name a Node ${version}`);
      return measure();
    },
    release,
  };
}

/** There Express itself is faster; of POST there is no target beside it. */
function onNode24(comparison, workload) {
  const { ours, peer } = comparison;
  if (ours !== "create-server" || peer === "fastify") return comparison;
  if (workload !== "get") return compare(ours, peer);
  return compare(ours, peer, peer === "packages" ? 3.5 : 1.3);
}

function compare(ours, peer, factor) {
  return { ours, peer, target: factor === undefined ? undefined : atLeast(factor) };
}
