"use strict";

/** Prints what was left out and why, then the plain closing line that CI reads. */
module.exports = class SummaryReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numPendingTests, numTodoTests, numFailedTests, numRuntimeErrorTestSuites } = results;
    const reasons = new Set();
    for (const { testResults } of results.testResults) {
      for (const { status, ancestorTitles } of testResults) {
        if (status === "pending")
          reasons.add(ancestorTitles.find((title) => title.includes("not run")) ?? "skipped by hand");
      }
    }
    const lines = [...reasons].map((reason) => `Not run: ${reason}`);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests + numTodoTests;
    lines.push(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    process.once("exit", () => process.stdout.write(`\n${lines.join("\n")}\n`)); // after jest's own summary
  }
};
