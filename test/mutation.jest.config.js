"use strict";

const path = require("node:path");
const [config] = require("../jest.config.js").projects;

/** Only the tests of the pure functions: a mutant that only a server notices would take a minute each. */
module.exports = {
  ...config,
  testEnvironment: "node", // Stryker puts its own in place of this one
  rootDir: path.join(__dirname, ".."),
  modulePathIgnorePatterns: ["/dist/"],
  reporters: [],
  setupFiles: [...config.setupFiles, "<rootDir>/test/support/few-runs.js"],
  testMatch: [
    "<rootDir>/test/lib/**/*.test.ts",
    "<rootDir>/test/parity/{proxy-addr,block-list,scim2-parse-filter}.test.ts",
  ],
};
