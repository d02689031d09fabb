"use strict";

/**
 * Forked, a process that tries inputs as it is told to. `node tools/torture/fuzz/worker.js SEED TARGET INDEX` shows one input
 * again and tries it.
 */
const { performance } = require("node:perf_hooks");
const { inspect } = require("node:util");
const { mixSeed, Random } = require("../random.js");
const { Violation } = require("./checks.js");
const { targets } = require("./targets.js");

/** In milliseconds: what no call may take. */
const MAX_DURATION = 1_000;

/** How many inputs lie between two signs of life. */
const BATCH = 1_000;

/** The most faults that one process tells of. */
const MAX_TOLD = 20;

/** @returns what is wrong, or `undefined` */
function tryInput(target, seed, index) {
  const random = new Random(mixSeed(seed, target.name, index));
  const input = target.generate(random);
  const start = performance.now();
  let fault;
  try {
    target.check(input, random);
  } catch (error) {
    if (error instanceof Violation || !target.allows?.(error)) fault = describe(error);
  }
  const duration = performance.now() - start;
  return { fault, duration };
}

/** The message, and the first place that is no part of these checks. */
function describe(error) {
  if (!(error instanceof Error)) return String(error);
  const place = error.stack.split("\n").find((line) => /^\s+at .*[\\/](?:dist|targets)[\\/]/.test(line)) ?? "";
  return `${error.name}: ${error.message} ${place.trim().replace(/\(?\/.*[\\/]((?:dist|targets)[\\/])/, "($1")}`;
}

/** A pause of the machine can be long: only what is slow twice is slow. */
function findFault(target, seed, index) {
  const { fault, duration } = tryInput(target, seed, index);
  if (fault !== undefined) return { fault, duration };
  if (duration <= MAX_DURATION) return { duration };
  const again = tryInput(target, seed, index).duration;
  if (again <= MAX_DURATION) return { duration: again };
  return { duration: again, fault: `took ${Math.round(duration)} ms, then ${Math.round(again)} ms` };
}

function tryMany({ seed, count }) {
  const faults = [];
  let failed = 0;
  let slowest = { duration: 0 };
  for (let index = 0; index < count; index++) {
    const target = targets[index % targets.length];
    if (index % BATCH === 0) process.send({ index, names: targets.map(({ name }) => name) });
    const { fault, duration } = findFault(target, seed, index);
    if (duration > slowest.duration) slowest = { name: target.name, duration, index };
    if (fault === undefined) continue;
    failed += 1;
    if (faults.length < MAX_TOLD)
      faults.push(`${target.name} ${fault} · node tools/torture/fuzz/worker.js ${seed} ${target.name} ${index}`);
  }
  process.send({ done: { failed, faults, slowest, targets: targets.length, version: process.versions.node } });
}

if (process.send) {
  process.on("message", tryMany);
  process.on("disconnect", () => process.exit());
} else {
  const [seed, name, index] = process.argv.slice(2);
  const target = targets.find((one) => one.name === name);
  console.log(inspect(target.generate(new Random(mixSeed(seed, name, index))), { depth: 20, maxStringLength: 10_000 }));
  console.log(tryInput(target, seed, index));
}
