"use strict";

const process = require("node:process");
const { setImmediate } = require("node:timers");
const { requireLib } = require("../../kit/compiled.js");
const { shapes } = require("../growth/shapes.js");
const { attempt, createTargets } = require("../growth/targets.js");

/** In characters. */
const SIZES = [1_024, 32_768, 1_048_576];

/** How much longer a byte may take in a large input than in a small one: caches are missed, memory is collected. */
const MAX_GROWTH = 12;

/** In nanoseconds: what a byte may take in any input, whatever it took in a small one. */
const FREE = 400;

/** How often an input is tried that seems to cost too much: other programs take the processor at times. */
const TRIES = 5;

/** Nanoseconds of processor time for each character. Short inputs are tried several times. */
function costOf(run, input) {
  const calls = Math.max(1, Math.floor(8_192 / input.length));
  const before = process.cpuUsage();
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) attempt(run, input);
  const wall = Number(process.hrtime.bigint() - start);
  const { user, system } = process.cpuUsage(before); // also of threads that collect memory
  return Math.min(wall, (user + system) * 1_000) / (calls * input.length);
}

/** What is wrong with a function and a shape; `undefined` when a byte of a large input costs no more. */
function findGrowth({ name, run }, shape, tell) {
  let base = Infinity;
  for (const size of SIZES) {
    const input = shape.make(size);
    const allowed = Math.max(FREE, base * MAX_GROWTH);
    let cost = costOf(run, input);
    for (let tries = 1; tries < TRIES && cost > (base === Infinity ? FREE : allowed); tries++) {
      cost = Math.min(cost, costOf(run, input));
    }
    tell(cost, size);
    if (base !== Infinity && cost > allowed) {
      const times = `${cost.toFixed(0)} ns a character at ${input.length}, ${base.toFixed(0)} in smaller ones`;
      return `${name} of ${shape.name}: ${times}`;
    }
    base = Math.min(base, cost);
  }
  return undefined;
}

async function run({ count }) {
  const targets = createTargets((room) => requireLib(`${room}/index.js`));
  const pairs = targets.flatMap((target) => shapes.map((shape) => [target, shape]));
  const tried = count(pairs.length);
  const faults = [];
  let slowest = { cost: 0 };
  for (let index = 0; index < tried; index++) {
    // a share of them is spread over all
    const [target, shape] = pairs[Math.floor((index * pairs.length) / tried)];
    const fault = findGrowth(target, shape, (cost, size) => {
      if (size === SIZES.at(-1) && cost > slowest.cost) slowest = { cost, name: `${target.name} of ${shape.name}` };
    });
    if (fault !== undefined) faults.push(fault);
    await new Promise(setImmediate); // other parts of the program have their turn
  }
  return {
    tried,
    survived: tried - faults.length,
    faults,
    figures: {
      functions: String(targets.length),
      "slowest megabyte": `${slowest.cost?.toFixed(0)} ms (${slowest.name})`,
    },
  };
}

module.exports = {
  name: "growth",
  claim: `Every function of the package that takes text or JSON, with delimiters, escapes, openers and near misses repeated up to 1 KB,
32 KB and 1 MB. Held: the time for a byte does not grow with the size.`,
  runs: [{ name: "package", unit: "shapes", total: 0, run }],
};
