"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { CompilerState, Extractor, ExtractorConfig } = require("@microsoft/api-extractor");

/**
 * Compares the public API, as dist/ declares it, with the reports in api/, one for each path that users import. It fails when
 * they differ, so that no change of the API goes unnoticed.
 *
 * node tools/build/api-reports.js [--write]
 */
const ROOT = path.join(__dirname, "../..");
const REPORTS = path.join(ROOT, "api");
const WRITE = process.argv.includes("--write");

const manifest = path.join(ROOT, "package.json");
const entries = Object.entries(JSON.parse(fs.readFileSync(manifest, "utf8")).exports)
  .filter(([, target]) => typeof target === "object")
  .map(([name, target]) => [
    name.replace(/^\.\/?/, "") || "etiquette",
    path.join(ROOT, target.default.replace(/\.js$/, ".d.ts")),
  ]);

const compilerOptions = {
  target: "es2023",
  lib: ["es2023"],
  module: "node20",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
};

function main() {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "etiquette-api-"));
  try {
    const configs = entries.map(([name, file]) => [name, configure(name, file, temporary)]);
    const compilerState = CompilerState.create(configs[0][1], {
      additionalEntryPoints: entries.map(([, file]) => file),
    });
    const changed = configs.filter(([, config]) => isChanged(config, compilerState)).map(([name]) => name);
    tell([...changed, ...removeUnknown()]);
  } finally {
    fs.rmSync(temporary, { recursive: true });
  }
}

function configure(name, file, temporary) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: manifest,
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: file,
      compiler: { overrideTsconfig: { compilerOptions, files: [file] } },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: REPORTS,
        reportTempFolder: temporary,
        includeForgottenExports: true, // types that have no public name, but that users meet in the others
        tagsToReport: { "@experimental": true },
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      newlineKind: "lf",
      messages: { extractorMessageReporting: hide("ae-missing-release-tag", "ae-forgotten-export", "ae-undocumented") },
    },
  });
}

/** A name without a tag is public. */
function hide(...messages) {
  return Object.fromEntries(messages.map((message) => [message, { logLevel: "none" }]));
}

function isChanged(config, compilerState) {
  const { apiReportChanged, errorCount } = Extractor.invoke(config, {
    compilerState,
    localBuild: WRITE,
    messageCallback: (message) => {
      message.handled = message.logLevel !== "error" && message.logLevel !== "warning";
      if (/^console-api-report/.test(message.messageId)) message.handled = true;
    },
  });
  if (errorCount > 0) process.exitCode = 1;
  return apiReportChanged;
}

/** The reports of paths that the package no longer has. */
function removeUnknown() {
  const known = new Set(entries.map(([name]) => `${name}.api.md`));
  const unknown = fs.readdirSync(REPORTS).filter((file) => !known.has(file));
  if (WRITE) for (const file of unknown) fs.rmSync(path.join(REPORTS, file));
  return unknown.map((file) => file.replace(/\.api\.md$/, ""));
}

function tell(changed) {
  if (changed.length === 0) return;
  console.log(`${WRITE ? "Written" : "The public API changed"}: ${changed.join(", ")}`);
  if (WRITE) return;
  console.log("If you mean it, run `npm run api -- --write`, and say in CHANGELOG.md what users must change.");
  process.exitCode = 1;
}

main();
