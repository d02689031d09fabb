"use strict";

const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");

/**
 * Writes dist/esm: the package as ES modules, which bundlers take under the condition `module`, because they can't leave out
 * the unused parts of CommonJS. Node never loads it, so no process has the package twice. `npm run types` checks the types.
 */
const ROOT = path.join(__dirname, "../..");
const TARGET = path.join(ROOT, "dist/esm");
const SOURCES = ["index.ts", "suite.ts", "suite-options.ts", "lib", "middleware"];

const compilerOptions = { target: "es2023", module: "esnext", isolatedModules: true, removeComments: true };

fs.rmSync(TARGET, { recursive: true, force: true });
for (const source of SOURCES.flatMap(listFiles)) {
  const file = path.join(TARGET, source.replace(/\.ts$/, ".js"));
  const text = fs.readFileSync(path.join(ROOT, source), "utf8");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, ts.transpileModule(text, { compilerOptions, fileName: source }).outputText);
}
fs.writeFileSync(path.join(TARGET, "package.json"), '{ "type": "module", "sideEffects": false }\n');

/** The TypeScript files at `source`, which is a file or a folder. */
function listFiles(source) {
  if (source.endsWith(".ts")) return [source];
  const inside = fs.readdirSync(path.join(ROOT, source), { recursive: true, encoding: "utf8" });
  return inside.filter((file) => file.endsWith(".ts")).map((file) => path.join(source, file));
}
