"use strict";

const { performance } = require("node:perf_hooks");
const { Unavailable } = require("../kit/unavailable.js");
const { parseArguments, USAGE, UsageError } = require("./arguments.js");
const { describeCommit, describeMachine } = require("../kit/machine.js");
const { findUnknown, selectRuns } = require("./parts.js");
const { mixSeed } = require("./random.js");
const { formatSummary, writeReport } = require("./report.js");
const { releaseAll } = require("./servers/children.js");
const { isBetter, isDone, loadState, saveState } = require("./state.js");

/** The most faults of a run that the report shows. */
const MAX_FAULTS = 20;

async function main() {
  const options = readArguments();
  if (options.help) return console.log(USAGE);
  const selected = selectRuns(options.names);
  if (options.list) return console.log(selected.map(({ name }) => name).join("\n"));

  process.env.NODE_ENV = "production"; // as users run what is tried
  const seed = options.seed ?? mixSeed(process.hrtime.bigint());
  const state = loadState(options.state);
  const results = {};
  for (const one of selected) {
    if (options.names.length === 0 && isDone(state[one.name], options.scale)) {
      process.stderr.write(`${one.name} … held before, at ${state[one.name].date}\n`);
      results[one.name] = state[one.name];
      continue;
    }
    const result = await perform(one, seed, options.scale);
    results[one.name] = result;
    const latest = loadState(options.state); // another process may have run other parts meanwhile
    if (isBetter(result, latest[one.name])) latest[one.name] = result;
    saveState(options.state, latest);
    if (options.report !== undefined) await writeReport(options.report, latest);
  }
  await releaseAll();
  console.log(formatSummary(results));
  if (Object.values(results).some(({ outcome }) => outcome === "fell")) process.exitCode = 1;
}

function readArguments() {
  try {
    const options = parseArguments(process.argv.slice(2));
    const [unknown] = findUnknown(options.names);
    if (unknown !== undefined) throw new UsageError(`There is no part ${unknown}; --list names them all.`);
    return options;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

/** Run one and describe what it saw. An error of the run itself counts as a fault. */
async function perform({ name, total, unit, run }, seed, scale) {
  process.stderr.write(`${name} (seed ${seed}) … `);
  const start = performance.now();
  const count = (number) => Math.max(1, Math.round(number * scale));
  const say = (text) => process.stderr.write(`${text} … `);
  const found = await run({ seed, scale, count, say }).catch((error) => {
    if (error instanceof Unavailable) return { missing: error.message };
    return { tried: 0, survived: 0, faults: [error.stack] };
  });
  const seconds = (performance.now() - start) / 1_000;
  const result = describe({ found, unit, total, seed, scale, seconds });
  const { outcome, tried, survived, faults, reason } = result;
  const summary = outcome === "not run" ? `not run: ${reason}` : `${outcome}: ${survived} of ${tried} ${unit}`;
  process.stderr.write(`${summary}, ${seconds.toFixed(1)} s\n`);
  for (const fault of faults) process.stderr.write(`  ${fault}\n`);
  return result;
}

function describe({ found, unit, total, seed, scale, seconds }) {
  const { missing, tried = 0, survived = 0, faults = [], versions = {}, figures = {}, levels = [] } = found;
  const fell = faults.length > 0 || survived < tried || tried === 0;
  return {
    outcome: missing !== undefined ? "not run" : fell ? "fell" : "held",
    reason: missing,
    tried,
    survived,
    total,
    unit,
    seed,
    scale,
    seconds: Math.round(seconds * 10) / 10,
    faults: faults.slice(0, MAX_FAULTS),
    versions: { Node: process.versions.node, ...versions },
    figures,
    levels,
    machine: describeMachine(),
    commit: describeCommit(),
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
  };
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void releaseAll().finally(() => process.exit(130)));
}

void main();
