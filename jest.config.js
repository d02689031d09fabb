"use strict";

const { randomBytes } = require("node:crypto");
const { readdirSync, readFileSync } = require("node:fs");
const { availableParallelism } = require("node:os");
const path = require("node:path");
const { exports: EXPORTS } = require("./package.json");

process.env.TEST_RUN ??= randomBytes(4).toString("hex"); // its databases have it in their names

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

const SERVER_TESTS = path.join(__dirname, "example-app/test");

const FIXED_SEED = ["<rootDir>/test/support/fixed-seed.js"];

/** The files of the tests that run on every database. The commands of the pages are the same on a cluster. */
function storeTests() {
  return readdirSync(SERVER_TESTS, { recursive: true })
    .filter((name) => name.endsWith(".test.ts") && name !== "shell-pages.test.ts")
    .map((name) => path.join(SERVER_TESTS, name))
    .filter((file) => readFileSync(file, "utf8").includes("describeStores("));
}

/** @type {import("jest").Config} */
const project = {
  testEnvironment: "<rootDir>/test/support/environment.js", // modules run once a process: they keep nothing of a test
  runtime: "<rootDir>/test/support/runtime.js",
  testRunner: "<rootDir>/test/support/runner.js",
  setupFiles: FIXED_SEED,
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

const serverProject = {
  ...project,
  globalTeardown: "<rootDir>/example-app/test/support/drop-databases.js",
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
      testMatch: ["<rootDir>/example-app/test/{access,admission,resources,rest}/**/*.test.ts"],
      setupFiles: [...FIXED_SEED, "<rootDir>/example-app/test/support/two-nodes.js"],
    },
    // the tests that run on every database once more, on a Citus cluster
    {
      ...serverProject,
      displayName: "citus",
      testMatch: storeTests(),
      setupFiles: [...FIXED_SEED, "<rootDir>/example-app/test/support/on-citus.js"],
    },
  ],
};
