"use strict";

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

/** @type {import("jest").Config} */
const project = {
  testEnvironment: "node",
  roots: ["<rootDir>/lib", "<rootDir>/middleware", "<rootDir>/test", "<rootDir>/example-app"],
  testMatch: ["**/*.test.ts"],
  modulePathIgnorePatterns: ["/dist/", "/.stryker-tmp/"],
  moduleNameMapper: {
    "^(\\.{1,2}/.*)\\.js$": "$1",
    ...publicPaths(),
  },
  transform: {
    "^.+\\.ts$": ["ts-jest", { transpilation: true, tsconfig: "test/tsconfig.json" }],
    // jose is published as ES modules only, which jest's own loader does not take
    "/node_modules/jose/.+\\.js$": [
      "ts-jest",
      {
        transpilation: true,
        diagnostics: false,
        tsconfig: { allowJs: true, module: "commonjs", target: "es2023", rootDir: "." },
      },
    ],
  },
  transformIgnorePatterns: ["/node_modules/(?!jose/)"],
};

module.exports = {
  maxWorkers: "100%", // many tests wait for processes, disks and clocks
  testTimeout: 30_000, // on a machine that is busy otherwise
  reporters: ["default", "<rootDir>/test/support/summary-reporter.js"],
  projects: [
    project,
    // the tests of the API once more, against two nodes on one database
    {
      ...project,
      displayName: "two nodes",
      roots: ["<rootDir>/example-app"],
      testMatch: ["<rootDir>/example-app/test/{resources,rest}/**/*.test.ts"],
      setupFiles: ["<rootDir>/example-app/test/support/two-nodes.js"],
    },
  ],
};
