"use strict";

/** Prints what was left out and why, then the plain closing line that CI reads. */
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
    const lines = [...reasons].map((reason) => `Not run: what ${reason}`);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests + numTodoTests;
    lines.push(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    process.once("exit", () => process.stdout.write(`\n${lines.join("\n")}\n`)); // after jest's own summary
  }
};
