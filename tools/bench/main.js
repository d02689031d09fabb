"use strict";

const os = require("node:os");
const { formatComparison } = require("./against.js");
const { parseArguments, USAGE, UsageError } = require("./arguments.js");
const { nameOnNode } = require("./cases.js");
const { describeMachine } = require("../kit/machine.js");
const { keep, readRows, writeRows } = require("./results.js");
const { Unavailable } = require("../kit/unavailable.js");
const { formatTable } = require("./table.js");

async function main() {
  const { help, list, json, against, selected, effort } = readArguments();
  if (help) return console.log(USAGE);
  if (list) return console.log(selected.map(({ name }) => name).join("\n"));

  process.env.NODE_ENV = "production"; // as users run what is measured
  const before = against === undefined ? undefined : readRows(against); // which may be the file that is written
  const save = (rows) => json !== undefined && writeRows(json, rows, effort === 1);
  const { rows, notes } = await run(selected, effort, save);
  console.log(`\n${describeRun()}\n\n${formatTable(rows)}`);
  if (before) console.log(`\nAgainst ${against}:\n\n${formatComparison(rows, before)}`);
  for (const note of notes) console.log(`\n${note}`);
}

function readArguments() {
  try {
    return parseArguments(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return process.exit(1);
  }
}

/** Run one case after the other. One that fails is a note, so that the others' figures are not lost. */
async function run(selected, effort, save) {
  const facts = { date: new Date().toISOString().slice(0, 10), machine: describeMachine() };
  const rows = [];
  const notes = [];
  for (const { name, measure } of selected) {
    process.stderr.write(`${name} … `);
    const start = Date.now();
    try {
      const measured = await measure({ effort });
      rows.push(...measured.map((row) => keep({ ...row, case: nameOnNode(name, row.case) }, facts)));
      save(rows); // a run takes so long that it may not end
      process.stderr.write(`${((Date.now() - start) / 1_000).toFixed(1)} s\n`);
    } catch (error) {
      const reason = error instanceof Unavailable ? `not run: ${error.message}` : `failed: ${error.stack}`;
      process.stderr.write(`${reason}\n`);
      notes.push(`${name} ${reason}`);
    }
  }
  for (const { release } of selected) await release?.();
  return { rows, notes };
}

function describeRun() {
  return `Node ${process.versions.node}, ${describeMachine()}, load ${os.loadavg()[0].toFixed(1)} at the end`;
}

void main();
