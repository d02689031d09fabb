"use strict";

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  reporters: ["default", "<rootDir>/test/support/summary-reporter.js"],
  roots: ["<rootDir>/lib", "<rootDir>/middleware", "<rootDir>/test", "<rootDir>/example-app"],
  testMatch: ["**/*.test.ts"],
  modulePathIgnorePatterns: ["/dist/", "/.stryker-tmp/"],
  moduleNameMapper: {
    "^(\\.{1,2}/.*)\\.js$": "$1",
    "^etiquette$": "<rootDir>/index.ts",
    "^etiquette/suite$": "<rootDir>/suite.ts",
    "^etiquette/(.*)$": ["<rootDir>/middleware/$1.ts", "<rootDir>/lib/$1.ts"],
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
