"use strict";

/**
 * Every part in the order in which they run, the short ones first. A file of `parts/` exports `{ name, claim, runs }`:
 * `claim` is what the report says it proves; each of `runs` is `{ name, unit, total, run }`. `run(context)` tries and
 * promises `{ tried, survived, faults, versions, figures, levels }`, or rejects with `Unavailable` when this machine lacks
 * what it needs; `levels` are the service levels that it measured, `{ level, target, measured, isMet }` each. `context` is `{ seed, scale, count, say }`: `count(number)` is that number at the scale, at least one.
 */
const PARTS = [
  "tenants",
  "fuzz",
  "growth",
  "sockets",
  "term",
  "writers",
  "pages",
  "migrate",
  "kill",
  "outage",
  "failover",
  "chaos",
  "start",
  "slow",
  "guard",
  "slowest",
  "neighbour",
  "memory",
].map((name) => require(`./parts/${name}.js`));

/** Every run, under the name of its part and its own: `fuzz/node-22`. */
const runs = PARTS.flatMap(({ name, claim, runs: found }) =>
  found.map((one) => ({ ...one, part: name, claim, name: `${name}/${one.name}` })),
);

/** The runs whose name is one of `names` or begins with it and a slash; all of them without names. */
function selectRuns(names) {
  return names.length === 0 ? runs : runs.filter(({ name }) => names.some((given) => isWithin(name, given)));
}

/** Finds the names that no run has. */
function findUnknown(names) {
  return names.filter((given) => !runs.some(({ name }) => isWithin(name, given)));
}

function isWithin(name, given) {
  return name === given || name.startsWith(`${given}/`);
}

module.exports = { findUnknown, PARTS, runs, selectRuns };
