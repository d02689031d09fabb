"use strict";

const { performance } = require("node:perf_hooks");
const { isAsyncFunction } = require("node:util/types");

/** In milliseconds of processor time: short enough that a disturbance hits one round, long enough for the clock. */
const BATCH = 5;
const WARM_UP = 300;

const ROUNDS = 21;
const MIN_ROUNDS = 3;

/** In milliseconds by the clock: a case whose operations are slow, or a machine that is busy, gets fewer rounds. */
const BUDGET = 4_000;

/** What was measured leaves its result here, so that no compiler can leave the work out. */
const sink = { value: undefined };

/**
 * Measure functions in turns, A B A B …, each in batches that take about as long.
 *
 * @param subjects functions of the number of the operation, which counts from 0, by name; async ones are awaited
 * @param effort below 1 for fewer rounds
 * @returns for each name its samples, one of each round: microseconds of processor time per
 *   operation, in which other processes have no part
 */
async function compare(subjects, effort = 1) {
  const runners = [];
  for (const [name, run] of Object.entries(subjects)) {
    const measure = isAsyncFunction(run) ? measureAsync : measureSync;
    runners.push({ name, run, measure, count: await calibrate(run, measure), next: 0, samples: [] });
  }
  const end = performance.now() + BUDGET * effort;
  for (let round = 0; round < ROUNDS * effort && (round < MIN_ROUNDS || performance.now() < end); round++) {
    for (const runner of runners) {
      const { run, measure, count, next, samples } = runner;
      samples.push(((await measure(run, next, count)) * 1_000) / count);
      runner.next += count;
    }
  }
  return Object.fromEntries(runners.map(({ name, samples }) => [name, samples]));
}

/** How many operations fill a batch, once the code is warm. */
async function calibrate(run, measure) {
  const end = processorTime() + WARM_UP;
  for (let count = 1; ;) {
    const elapsed = Math.max(await measure(run, 0, count), 0.001);
    if (processorTime() >= end) return Math.max(1, Math.round((count * BATCH) / elapsed));
    if (elapsed < BATCH) count = Math.ceil(count * Math.min(10, BATCH / elapsed));
  }
}

function measureSync(run, first, count) {
  const start = processorTime();
  for (let index = first; index < first + count; index++) sink.value = run(index);
  return processorTime() - start;
}

async function measureAsync(run, first, count) {
  const start = processorTime();
  for (let index = first; index < first + count; index++) sink.value = await run(index);
  return processorTime() - start;
}

/** In milliseconds: that of the garbage collector and the compiler, which run beside, is part of the cost. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

module.exports = { compare };
