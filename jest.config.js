"use strict";

const { randomBytes } = require("node:crypto");
const { availableParallelism } = require("node:os");
const { exports: EXPORTS } = require("./package.json");

process.env.PATIENCE ??= process.env.CI ? "4" : "1"; // a machine of CI may be several times as slow
process.env.TEST_RUN ??= randomBytes(4).toString("hex"); // its databases have it in their names

/** Each public path of the package, to the source that it is built from. */
function publicPaths() {
  const files = Object.entries(EXPORTS).map(([name, target]) => [name, target.default ?? target]);
  const paths = files.filter(([, file]) => file.startsWith("./dist/"));
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

const FIXED_SEED = ["<rootDir>/test/support/fixed-seed.js"];

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
    // these are published as ES modules only, which jest's own loader does not take
    "/node_modules/(?:jose|oauth4webapi|openid-client|ark[^/]*|@ark)/.+\\.js$": COMPILER,
  },
  transformIgnorePatterns: ["/node_modules/(?!(?:jose|oauth4webapi|openid-client|ark[^/]*|@ark)/)"],
};

const serverProject = {
  ...project,
  globalTeardown: "<rootDir>/example-app/test/support/drop-databases.js",
  roots: ["<rootDir>/example-app"],
};

/** The tests of the API that run on every database: they run once more against two nodes. */
const API_STORES = "<rootDir>/example-app/test/{access,admission,resources,rest}/**/*.stores.test.ts";
const API_ROOMS = "<rootDir>/example-app/test/(access|admission|resources|rest)/";

const ON_CITUS = "<rootDir>/example-app/test/support/on-citus.js";
const ON_TWO_NODES = "<rootDir>/example-app/test/support/two-nodes.js";

/** The two nodes are on Citus where there is one: what they share is the same on every PostgreSQL. */
const twoNodes = {
  ...serverProject,
  displayName: "two nodes",
  testMatch: [...(process.env.CITUS_URL ? [] : [API_STORES]), "<rootDir>/example-app/test/rest/database-gone.test.ts"],
  setupFiles: [...FIXED_SEED, ON_TWO_NODES],
};
const citusNodes = {
  ...serverProject,
  displayName: "two nodes on citus",
  testMatch: [API_STORES],
  setupFiles: [...FIXED_SEED, ON_TWO_NODES, ON_CITUS],
};

/** The other tests that run on every database once more, on a Citus cluster. */
const citus = {
  ...serverProject,
  displayName: "citus",
  testMatch: ["<rootDir>/example-app/test/**/*.stores.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", API_ROOMS],
  setupFiles: [...FIXED_SEED, ON_CITUS],
};

module.exports = {
  // many tests wait for processes, disks and clocks; a PostgreSQL other than CI's may lack connections for more
  maxWorkers: process.env.CI || !process.env.DATABASE_URL ? 2 * availableParallelism() : "100%",
  workerIdleMemoryLimit: "800MB", // V8 collects what test files leave only when it has gigabytes of it
  testTimeout: 30_000, // on a machine that is busy otherwise
  testSequencer: "<rootDir>/test/support/longest-first.js",
  reporters: ["default", "<rootDir>/test/support/summary-reporter.js"],
  projects: [
    { ...project, displayName: "package", roots: ["lib", "middleware", "test"].map((name) => `<rootDir>/${name}`) },
    { ...serverProject, displayName: "server" },
    ...(process.env.DATABASE_URL ? [twoNodes] : []),
    ...(process.env.CITUS_URL ? [citus, citusNodes] : []),
  ],
};
