"use strict";

/**
 * `npm run counts` compares what a request takes with `test/counts.json`, on the version of Node that the file names, and fails
 * when something grew. `npm run counts -- --write` writes the file.
 */
const { readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { findGrowth } = require("./growth-of-counts.js");
const { OWN_VERSION } = require("./nodes.js");
const { Program } = require("../kit/program.js");

const FILE = path.join(__dirname, "../../test/counts.json");

const CASES = ["get/repeated", "get/unseen", "list/unseen", "page/unseen", "webfinger/unseen"];

/** V8 collects nothing before 256 MB, and compiles at the same request in each run. */
const HEAP_FLAGS = ["--expose-gc", "--max-semi-space-size=256", "--min-semi-space-size=256", "--single-threaded"];

async function main() {
  const isWritten = process.argv.includes("--write");
  const known = isWritten ? undefined : JSON.parse(readFileSync(FILE, "utf8"));
  if (known && known.node !== OWN_VERSION) {
    console.log(`The counts are of Node ${known.node}, and this is ${process.version}: nothing is compared.`);
    return;
  }
  process.env.NODE_ENV = "production";
  const cases = {};
  for (const name of CASES) {
    const [workload, variant] = name.split("/");
    cases[name] = { ...(await count(workload, variant, HEAP_FLAGS)), ...(await count(workload, variant, [])) };
    console.log(
      `${name}: ${JSON.stringify(cases[name])}${known ? `, in the file ${JSON.stringify(known.cases[name])}` : ""}`,
    );
  }
  if (!known) {
    writeFileSync(FILE, `${JSON.stringify({ node: OWN_VERSION, release: process.version, cases }, undefined, 2)}\n`);
    return;
  }
  if (known.release !== process.version) {
    console.log(`The bytes are of ${known.release}, and this is ${process.version}: they are not compared.`);
    for (const counts of Object.values(cases)) delete counts.bytes;
  }
  const faults = findGrowth(known.cases, cases);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

async function count(workload, variant, execArgv) {
  const program = new Program(path.join(__dirname, "without-kernel/count.js"), [], { execArgv });
  try {
    const found = await program.ask({ workload, variant });
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Math.round(value)]));
  } finally {
    await program.stop();
  }
}

void main();
