"use strict";

const { existsSync } = require("node:fs");
const path = require("node:path");

/** In milliseconds: how long a fault lasts. */
const MIN_DURATION = 4_000;
const MAX_DURATION = 12_000;

/** In milliseconds: how wrong a clock is at most. */
const MAX_SKEW = 90_000;

/** How likely a fault comes with another one. */
const PAIRED = 0.3;

/**
 * What can go wrong. `begin(world, node, random)` does it to a node, or to the database; then it lasts, unless it is instant,
 * until `end(world, node)`. `mend(world)` follows when all nodes are ready again. Until then the nodes that `troubles` says are
 * without the database or stand still: `node`, `all`, or none, which must answer as if nothing were wrong.
 */
const FAULTS = [
  {
    name: "a node is killed and started again",
    of: "node",
    begin: (_, node) => node.kill(),
    end: ({ main }, node) => node.start(main),
  },
  {
    name: "a node is paused",
    of: "node",
    troubles: "node",
    begin: (_, node) => node.signal("SIGSTOP"),
    end: (_, node) => node.signal("SIGCONT"),
  },
  {
    name: "a node has no way to the database",
    of: "node",
    troubles: "node",
    begin: ({ database, nodes }, node) => database.cut([nodes.indexOf(node)]),
    end: ({ database, nodes }, node) => database.restore([nodes.indexOf(node)]),
  },
  {
    name: "the clock of a node is wrong",
    of: "node",
    isHarmless: true,
    begin: (_, node, random) => node.skew(Math.round((2 * random.fraction() - 1) * MAX_SKEW)),
    end: (_, node) => node.skew(0),
  },
  {
    name: "the disk of a node is full",
    of: "node",
    isHarmless: true,
    begin: (_, node) => node.fill(),
    end: (_, node) => node.empty(),
  },
  {
    name: "the database is away",
    of: "database",
    troubles: "all",
    begin: ({ database }) => database.cut(),
    end: ({ database }) => database.restore(),
  },
  {
    name: "the database hangs",
    of: "database",
    troubles: "all",
    begin: ({ database }) => database.hang(),
    end: ({ database }) => database.restore(),
  },
  {
    name: "the disk of the database is full",
    of: "database",
    begin: ({ database }) => database.fill(),
    end: ({ database }) => database.empty(),
  },
  {
    name: "failover, the primary is killed",
    of: "all",
    isInstant: true,
    troubles: "all",
    begin: ({ database }) => database.failOver(false),
    mend: ({ database }) => database.heal(),
  },
  {
    name: "failover, the primary is silent",
    of: "all",
    isInstant: true,
    troubles: "all",
    begin: ({ database }) => database.failOver(true),
    mend: ({ database }) => database.heal(),
  },
  { name: "all nodes are restarted, one by one", of: "all", isInstant: true, begin: restartAll },
];

/**
 * Each node drains, ends and starts again. With `TORTURE_PREVIOUS`, the folder of a previous version that is built, it starts
 * with that, and the next time with this one again.
 */
async function restartAll(world) {
  const previous = findPrevious();
  world.main = world.main === undefined ? previous : undefined;
  for (const node of world.nodes) {
    await node.stop();
    await node.start(world.main);
    await node.ready(60_000);
  }
}

/** The program of the previous version; `undefined` without one. */
function findPrevious() {
  const folder = process.env.TORTURE_PREVIOUS;
  if (!folder) return undefined;
  const main = path.resolve(folder, "example-app/dist/main.js");
  if (!existsSync(main)) throw new Error(`TORTURE_PREVIOUS has no ${main}`);
  return main;
}

/** Every fault in a random order, then again, without end: one at a time, or two that leave a right answer. */
function* drawFaults(random, nodes) {
  for (;;) {
    const deck = shuffle(
      FAULTS.filter((f) => f.name.includes(process.env.ONLY ?? "")),
      random,
    );
    for (const fault of deck) {
      const node = random.pick(nodes);
      const duration = MIN_DURATION + random.integer(MAX_DURATION - MIN_DURATION);
      const first = { ...fault, node: fault.of === "node" ? node : undefined };
      const others = FAULTS.filter((other) => isPair(fault, other));
      const isPaired = others.length > 0 && random.isLikely(PAIRED);
      const second = isPaired && { ...random.pick(others), node: random.pick(nodes.filter((one) => one !== node)) };
      yield { faults: second ? [first, second] : [first], duration };
    }
  }
}

/** Two of different nodes, or one of the database and a harmless one of a node. */
function isPair(first, second) {
  if (second.of !== "node" || first.of === "all") return false;
  return first.of === "node" || second.isHarmless === true;
}

function shuffle(list, random) {
  const rest = [...list];
  return list.map(() => rest.splice(random.integer(rest.length), 1)[0]);
}

/** Which nodes a fault puts into trouble. */
function troubledBy({ troubles, node }, nodes) {
  return troubles === "all" ? nodes : troubles === "node" ? [node] : [];
}

module.exports = { drawFaults, FAULTS, troubledBy };
