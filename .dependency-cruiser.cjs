"use strict";

/**
 * Who may import whom, types included; CONTRIBUTING.md has the same as a table. Each list goes downwards: a folder or file
 * imports from the lines below its own, never from those above it or beside it.
 */
const PACKAGE = [
  ["index.ts"],
  ["suite.ts"],
  ["suite-options.ts"],
  ["middleware", "check"],
  ["lib/server"],
  ["lib/report"],
  ["lib/express"],
  ["lib/faults", "lib/list", "lib/filter", "lib/auth", "lib/webfinger", "lib/idempotency"],
  ["lib/errors"],
  ["lib/http"],
  ["lib/json"],
  ["lib/net"],
  ["lib/factory"],
  ["lib/text"],
];

const SERVER = [
  ["main.ts"],
  ["program"],
  ["server.ts", "admin-server.ts"],
  ["app-server.ts", "connections.ts", "listen.ts"],
  ["app.ts"],
  ["resources", "web", "monitoring"],
  ["transfer"],
  ["rest"],
  ["admission"],
  ["access"],
  ["metadata"],
  ["audit"],
  ["tenancy"],
  ["snapshot"],
  ["discovery", "store"],
  ["model", "pace", "disk"],
];

const PROGRAM = [
  ["run.ts"],
  ["command-line.ts"],
  ["help.ts"],
  ["commands"],
  ["doctor", "operations"],
  ["process"],
  ["secrets"],
  ["settings", "start-command.ts"],
];

const STORE = [
  ["store.ts", "inspect"],
  ["engine"],
  ["schema"],
  ["history"],
  ["records", "log"],
  ["lists"],
  ["contract"],
];

module.exports = {
  forbidden: [
    {
      name: "no-circle",
      comment: "Files that import each other are one: put what both need below them.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...layers("", PACKAGE),
    ...layers("example-app/src/", SERVER),
    ...layers("example-app/src/program/", PROGRAM),
    ...layers("example-app/src/store/", STORE),
    {
      name: "by-the-door",
      comment: "A folder of lib/ is entered by its index.ts; what that does not export is the folder's own.",
      severity: "error",
      from: { path: "^(lib/[^/]+|middleware|check|suite(-options)?\\.ts$|index\\.ts$)" },
      to: { path: "^lib/", pathNot: ["^lib/[^/]+/index\\.ts$", "^$1/"] },
    },
    {
      name: "middlewares-alone",
      comment: "Middlewares do not know each other; what they share is in lib/.",
      severity: "error",
      from: { path: "^middleware/" },
      to: { path: "^middleware/" },
    },
    {
      name: "own-dependencies",
      comment: "The package imports express and jose as types only; http-errors in lib/errors, cors in operationCors.",
      severity: "error",
      from: { path: "^(lib|middleware|check|suite(-options)?\\.ts$|index\\.ts$)" },
      to: {
        dependencyTypes: ["npm", "npm-dev", "npm-peer", "npm-optional", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["type-only"],
        pathNot: ["(^|/)node_modules/(http-errors|cors|jose)/"],
      },
    },
    {
      name: "one-way-to-make-an-error",
      comment: "apiError of lib/errors makes every error for a client; nothing else needs http-errors.",
      severity: "error",
      from: {
        path: "^(lib|middleware|suite(-options)?\\.ts$|index\\.ts$|example-app/src/)",
        pathNot: ["^lib/errors/api-error\\.ts$"],
      },
      to: { path: "(^|/)node_modules/(@types/)?http-errors/" },
    },
    {
      name: "sql-in-store-only",
      comment: "store/ has all SQL, in named functions.",
      severity: "error",
      from: { path: "^example-app/src/", pathNot: "^example-app/src/store/" },
      to: { path: "(^|/)node_modules/(@types/)?(kysely|libsql|pg)/" },
    },
    {
      name: "migrations-are-frozen",
      comment: "A migration imports nothing of the server that may change.",
      severity: "error",
      from: { path: "^example-app/src/store/schema/migrations/" },
      to: { path: "^example-app/src/", pathNot: "^example-app/src/store/schema/migrations/" },
    },
    {
      name: "package-by-name",
      comment: "The server imports the package by its name, like any user.",
      severity: "error",
      from: { path: "^example-app/" },
      to: { path: "^(lib|middleware|suite(-options)?\\.ts$|index\\.ts$)", dependencyTypesNot: ["aliased"] },
    },
    {
      name: "resolvable",
      comment: "What is not found can't be judged.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules|/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    moduleSystems: ["es6"],
  },
};

/** The rules of a list whose entries are below `folder`: one for each line, and one that everything is in some line. */
function layers(folder, lines) {
  const pathOf = (names) => `^${folder}(${names.map((name) => name.replaceAll(".", "\\.")).join("|")})(/|$)`;
  return [
    ...lines.flatMap((line, i) =>
      line.map((name) => ({
        name: `below-${name}`,
        comment: `${name} imports only from ${
          lines
            .slice(i + 1)
            .flat()
            .join(", ") || "itself"
        }.`,
        severity: "error",
        from: { path: pathOf([name]) },
        to: {
          path: folder === "" ? pathOf(lines.flat()) : `^${folder}`,
          pathNot: pathOf([name, ...lines.slice(i + 1).flat()]),
        },
      })),
    ),
    {
      name: "in-a-layer",
      comment: "Every folder has its line in .dependency-cruiser.cjs.",
      severity: "error",
      from: { path: folder === "" ? "^(lib|middleware|check)/" : `^${folder}`, pathNot: pathOf(lines.flat()) },
      to: {},
    },
  ];
}
