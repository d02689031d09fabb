"use strict";

/**
 * `node program-file.js FOLDER` makes `FOLDER/main.js`, which does what `npm start` does without a build: all sources in one
 * file. With a further argument it does what that file does. The first process that ends keeps what V8 compiled. To load the
 * sources one by one takes twice the processor time.
 */
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join, resolve } = require("node:path");
const vm = require("node:vm");

const root = resolve(__dirname, "../../..");
const main = join(root, "example-app/src/main.ts");

/** The first are native or look for it, the last requires its files in a way that esbuild does not see. */
const EXTERNAL = ["libsql", "pg-native", "jsonc-parser"];

/** What Node resolves, as it does for what `tsc` compiles: packages with two forms give that for `require()`. */
const asRequired = {
  name: "as required",
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind, pluginData, ...place }) => {
      if (kind !== "import-statement" || pluginData === asRequired || path.startsWith("node:")) return undefined;
      const { importer, namespace, resolveDir } = place;
      return build.resolve(path, { importer, namespace, resolveDir, kind: "require-call", pluginData: asRequired });
    });
    build.onLoad({ filter: /example-app[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const [file, folder] = [path, dirname(path)].map((name) => JSON.stringify(name));
      const source = readFileSync(path, "utf8");
      return {
        loader: "ts",
        contents: source
          .replace(/^#!.*/, "") // it would not be the first line
          .replaceAll("createRequire(__filename)(", "require(")
          .replaceAll("__filename", file)
          .replaceAll("__dirname", folder),
      };
    });
  },
};

/** Copies a module once, not for each file that imports it, as esbuild does: that took a fourth of a start. */
const COPY = "var __toESM = ";
const COPY_ONCE = `var __copies = new Map();
var __toESM = (module, ...mode) => __copies.get(module) ?? __copies.set(module, __copy(module, ...mode)).get(module);
var __copy = `;

async function make(folder, entry = main) {
  const { outputFiles } = await require("esbuild").build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: "node",
    target: `node${process.versions.node}`,
    tsconfig: join(root, "tsconfig.json"),
    keepNames: true,
    external: EXTERNAL,
    plugins: [asRequired],
    logLevel: "error",
  });
  mkdirSync(folder, { recursive: true });
  writeWhole(join(folder, "program.js"), outputFiles[0].text.replace(COPY, COPY_ONCE));
  writeWhole(
    join(folder, "main.js"),
    `require(${JSON.stringify(require.resolve("./program-file.js"))}).run(__dirname);`,
  );
}

/** Processes that start at the same time see all of it or nothing. */
function writeWhole(file, content) {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

/** Runs what is in the folder as the program of this process, with what V8 keeps of it unless it must compile it itself. */
function run(folder, { isKept = true } = {}) {
  const filename = join(folder, "program.js");
  const compiled = join(folder, "program.v8");
  // esbuild writes other characters than those of ASCII in comments only
  const source = `(function (exports, require, module) {${readFileSync(filename, "latin1")}\n})`;
  const cachedData = isKept && existsSync(compiled) ? readFileSync(compiled) : undefined;
  const script = new vm.Script(source, { filename, ...(cachedData && { cachedData }) });
  if (isKept && !cachedData) process.on("exit", () => writeWhole(compiled, script.createCachedData()));
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(main), module);
}

module.exports = { run };
if (require.main === module) void make(...process.argv.slice(2));
