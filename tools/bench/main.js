"use strict";

const { writeFileSync } = require("node:fs");
const os = require("node:os");
const { parseArgs } = require("node:util");
const { cases, selectCases } = require("./cases.js");
const { describeMachine } = require("../kit/machine.js");
const { Unavailable } = require("../kit/unavailable.js");
const { formatTable } = require("./table.js");

const USAGE = `npm run bench -- [NAME …] [--json FILE] [--list]

  NAME         run the cases of this name, and those whose name begins with it and a slash
  --json FILE  write the rows to a file as well
  --list       print the names of the cases and run none`;

async function main() {
  const { values, positionals } = readArguments();
  if (values.help) return console.log(USAGE);
  if (values.list) return console.log(cases.map(({ name }) => name).join("\n"));

  process.env.NODE_ENV = "production"; // as users run what is measured
  const { rows, notes } = await run(select(positionals));
  console.log(`\n${describeRun()}\n\n${formatTable(rows)}`);
  for (const note of notes) console.log(`\n${note}`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, undefined, 2)}\n`);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { json: { type: "string" }, list: { type: "boolean" }, help: { type: "boolean" } },
    });
  } catch (error) {
    return fail(`${error.message}\n\n${USAGE}`);
  }
}

function select(names) {
  if (names.length === 0) return selectCases();
  const selected = new Set();
  for (const name of names) {
    const found = selectCases(name);
    if (found.length === 0) fail(`There is no case ${name}; --list names them all.`);
    for (const entry of found) selected.add(entry);
  }
  return [...selected];
}

/** Run one case after the other. One that fails is a note, so that the others' figures are not lost. */
async function run(selected) {
  const rows = [];
  const notes = [];
  for (const { name, measure } of selected) {
    process.stderr.write(`${name} … `);
    const start = Date.now();
    try {
      rows.push(...(await measure()));
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

function fail(message) {
  console.error(message);
  process.exit(1);
}

void main();
