"use strict";

/**
 * `node --require` this to run the TypeScript sources without a build: the tests start processes of their own with it.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join, resolve } = require("node:path");

const root = resolve(__dirname, "../../..");
const { exports: publicPaths } = require("../../../package.json");

/** The source of a public path of the package, `etiquette/…`. */
function sourceOf(request) {
  const target = publicPaths[`.${request.slice("etiquette".length)}`];
  return target && resolve(root, (target.default ?? target).replace("./dist/", "").replace(/\.js$/, ".ts"));
}

const { _resolveFilename: resolveFilename } = Module;
Module._resolveFilename = function resolveTypeScript(request, parent, ...rest) {
  const source = request.startsWith(".")
    ? resolve(dirname(parent?.filename ?? root), request.replace(/\.js$/, ".ts"))
    : /^etiquette(?:\/|$)/.test(request) && sourceOf(request);
  return source && source.endsWith(".ts") && existsSync(source)
    ? source
    : resolveFilename.call(this, request, parent, ...rest);
};

/** What was compiled once is kept, by its text: loading the compiler takes longer than most programs run. */
const cache = resolve(root, "node_modules/.cache/etiquette-tests");
mkdirSync(cache, { recursive: true });

require.extensions[".ts"] = function compileTypeScript(module, filename) {
  const source = readFileSync(filename, "utf8");
  const compiled = join(cache, `${createHash("sha256").update(source).digest("hex")}.js`);
  if (!existsSync(compiled)) {
    const temporary = `${compiled}.${process.pid}`;
    writeFileSync(temporary, transpile(source));
    renameSync(temporary, compiled); // processes that start at the same time see all of it or nothing
  }
  module._compile(readFileSync(compiled, "utf8"), filename);
};

function transpile(source) {
  const ts = require("typescript");
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}
