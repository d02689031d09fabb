"use strict";

const { availableParallelism } = require("node:os");
const { exports: EXPORTS } = require("./package.json");

/** Each public path of the package, to the source that it is built from. */
function publicPaths() {
  const paths = Object.entries(EXPORTS).filter(([, file]) => file.startsWith("./dist/"));
  return Object.fromEntries(
    paths.map(([name, file]) => [
      `^etiquette${name.slice(1)}$`,
      file.replace("./dist/", "<rootDir>/").replace(/\.js$/, ".ts"),
    ]),
  );
}

/** Removes the types; `npm run types` checks them. */
const COMPILER = [
  "@swc/jest",
  { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" }, swcrc: false },
];

/** CI has no time for all: the first test of a file waits some seconds for a database on three nodes, and each for its rows. */
const CITUS_TESTS = [
  "program/orgs",
  "resources/idps",
  "store/api-tokens",
  "store/changes",
  "store/log-events",
  "store/log-retention",
  "store/store",
  "transfer/import",
];

/** @type {import("jest").Config} */
const project = {
  testEnvironment: "node",
  runtime: "<rootDir>/test/support/runtime.js",
  roots: ["<rootDir>/check", "<rootDir>/lib", "<rootDir>/middleware", "<rootDir>/test", "<rootDir>/example-app"],
  testMatch: ["**/*.test.ts"],
  modulePathIgnorePatterns: ["/dist/", "/.stryker-tmp/"],
  moduleNameMapper: {
    "^(\\.{1,2}/.*)\\.js$": "$1",
    ...publicPaths(),
  },
  transform: {
    "^.+\\.ts$": COMPILER,
    // jose is published as ES modules only, which jest's own loader does not take
    "/node_modules/jose/.+\\.js$": COMPILER,
  },
  transformIgnorePatterns: ["/node_modules/(?!jose/)"],
};

/** The server's modules and packages are run once a process: they keep nothing of a test. */
const serverProject = {
  ...project,
  testEnvironment: "<rootDir>/test/support/environment.js",
  roots: ["<rootDir>/example-app"],
};

module.exports = {
  // many tests wait for processes, disks and clocks; CI's PostgreSQL has connections for all of them
  maxWorkers: process.env.CI ? Math.ceil(1.5 * availableParallelism()) : "100%",
  workerIdleMemoryLimit: "800MB", // V8 collects what test files leave only when it has gigabytes of it
  testTimeout: 30_000, // on a machine that is busy otherwise
  reporters: ["default", "<rootDir>/test/support/summary-reporter.js"],
  projects: [
    { ...project, displayName: "package", roots: ["lib", "middleware", "test"].map((name) => `<rootDir>/${name}`) },
    { ...serverProject, displayName: "server" },
    // the tests of the API once more, against two nodes on one database
    {
      ...serverProject,
      displayName: "two nodes",
      testMatch: ["<rootDir>/example-app/test/{resources,rest}/**/*.test.ts"],
      setupFiles: ["<rootDir>/example-app/test/support/two-nodes.js"],
    },
    // the tests that depend most on the database once more, on a Citus cluster
    {
      ...serverProject,
      displayName: "citus",
      testMatch: CITUS_TESTS.map((name) => `<rootDir>/example-app/test/${name}.test.ts`),
      setupFiles: ["<rootDir>/example-app/test/support/on-citus.js"],
    },
  ],
};
