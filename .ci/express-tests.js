"use strict";

// express-tests.js FOLDER: runs Express's own tests, of both majors, on servers of createServer; what they need is
// installed into FOLDER once. The last line tells how many passed and failed.
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { existsSync } = require("node:fs");
const path = require("node:path");
const { text } = require("node:stream/consumers");

const RUNNER = path.join(__dirname, "../../shared/express-tests/run.sh");

/** Tests that must fail: each sends `Host: http://example.com`, which is no host and is refused (RFC 9112 section 3.2). */
const REFUSED_HOST = [
  "res when accepting html should escape the url",
  "res when accepting html should not render evil javascript links in anchor href (prevent XSS)",
  "res when accepting text should encode the url",
];

/** Reads what mocha's reporter "dot" prints: a failed test as its number and titles, one a line, the last with a colon. */
function parseReport(report) {
  const failed = [];
  for (const [, titles] of report.matchAll(/^ {2}\d+\) (.+(?:\n {5,}.+)*?):$/gm))
    failed.push(titles.replace(/\n +/g, " "));
  return { passed: Number(/^ +(\d+) passing/m.exec(report)?.[1] ?? 0), failed };
}

/** How many tests of one major of Express passed, and how many failed but those that must. */
async function run(major, folder) {
  const child = spawn("bash", [RUNNER, major, path.join(folder, major), path.join(__dirname, "on-create-server.js")]);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const { passed, failed } = parseReport(stdout);
  const unexpected = failed.filter((title) => !REFUSED_HOST.includes(title));
  const missing = REFUSED_HOST.filter((title) => !failed.includes(title));
  if (unexpected.length > 0 || missing.length > 0 || status !== failed.length) {
    console.log(`${stdout}\n${stderr}\nExpress ${major}: mocha ended with ${status}`);
    for (const title of unexpected) console.log(`Failed: ${title}`);
    for (const title of missing) console.log(`Did not fail, or did not run: ${title}`);
    return { passed, failed: Math.max(1, unexpected.length + missing.length) };
  }
  return { passed, failed: 0 };
}

async function main(folder) {
  if (!existsSync(RUNNER)) {
    console.log("Not run: Express's own tests, which are in ../shared/express-tests");
    console.log("0 passed, 0 failed");
    return;
  }
  const majors = ["5", "4"];
  const results = await Promise.all(majors.map((major) => run(major, path.resolve(folder))));
  for (const [index, { passed, failed }] of results.entries()) {
    const refused = `${REFUSED_HOST.length} refused as they must be`;
    console.log(`Express ${majors[index]} on createServer: ${passed} passed, ${refused}, ${failed} failed`);
  }
  const sum = (member) => results.reduce((total, result) => total + result[member], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  process.exitCode = sum("failed") > 0 ? 1 : 0;
}

void main(process.argv[2]);
