"use strict";

/**
 * `npm run counts` compares what a request takes with `test/counts.json`, on the version of Node that the file names, and fails
 * when something grew. `npm run counts -- --write` writes the file.
 */
const { readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { findGrowth } = require("./growth-of-counts.js");
const { OWN_VERSION } = require("./nodes.js");
const { countBytes, countSteps } = require("./without-kernel/counting.js");

const FILE = path.join(__dirname, "../../test/counts.json");

const CASES = ["get/repeated", "get/unseen", "list/unseen", "page/unseen", "webfinger/unseen"];

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
    const message = { workload, variant };
    cases[name] = { bytes: await countBytes(message), steps: await countSteps(message) };
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

void main();
