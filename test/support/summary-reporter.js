"use strict";

const path = require("node:path");

/** How many of the slowest test files are named, and how many milliseconds they take at least. */
const SLOWEST = 10;
const SLOW = 1_000;

/** Prints the slowest test files, what all took, what failed at first, what was left out and why, then the plain closing line that CI reads. */
module.exports = class SummaryReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numPendingTests, numTodoTests, numFailedTests, numRuntimeErrorTestSuites } = results;
    const reasons = new Set();
    for (const { testResults } of results.testResults) {
      for (const { status, ancestorTitles, title } of testResults) {
        if (status !== "pending") continue;
        const told = [...ancestorTitles, title].map((text) => /\(not run: (.*)\)$/.exec(text)?.[1]);
        reasons.add(told.find((reason) => reason !== undefined) ?? `skipped by hand: ${title}`);
      }
    }
    const lines = [...slowest(results.testResults), ...spent(results.testResults), ...retried(results.testResults)];
    lines.push(...Array.from(reasons, (reason) => `Not run: what ${reason}`));
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests + numTodoTests;
    lines.push(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    process.once("exit", () => process.stdout.write(`\n${lines.join("\n")}\n`)); // after jest's own summary
  }
};

/** A line for each of the slowest files: its seconds, those of processor time, its path and its project. */
function slowest(files) {
  return files
    .filter(({ perfStats }) => perfStats.runtime >= SLOW)
    .sort((a, b) => b.perfStats.runtime - a.perfStats.runtime)
    .slice(0, SLOWEST)
    .map(({ perfStats, spent: own, testFilePath, displayName }) => {
      const busy = own ? `, ${inSeconds(own.processor + own.processes)} of the processor` : "";
      const file = path.relative(process.cwd(), testFilePath);
      return `${inSeconds(perfStats.runtime)}${busy}  ${file}${displayName ? ` (${displayName.name})` : ""}`;
    });
}

const inSeconds = (milliseconds) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s`;

/** A line for each test that failed at first. */
function retried(files) {
  return files.flatMap(({ testResults, testFilePath }) =>
    testResults
      .filter(({ status, invocations }) => status === "passed" && invocations > 1)
      .map(({ fullName }) => `Passed at the second try: ${path.relative(process.cwd(), testFilePath)}: ${fullName}`),
  );
}

/** A line that tells where the time of all files went, if runner.js measured it. */
function spent(files) {
  const parts = files.flatMap((file) => file.spent ?? []);
  if (parts.length === 0) return [];
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  const seconds = (milliseconds) => `${Math.round(Math.max(0, milliseconds) / 1_000)} s`;
  const tests = sum("processor") - sum("compiling");
  const waiting = sum("elapsed") - sum("processor");
  return [
    `Processor time: ${seconds(tests)} of tests, ${seconds(sum("compiling"))} of compiling, ` +
      `${seconds(sum("processes"))} of processes that they started. They waited ${seconds(waiting)}.`,
  ];
}
