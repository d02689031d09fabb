"use strict";

const { resolve, dirname } = require("node:path");
const { Script } = require("node:vm");
const Runtime = require("jest-runtime").default;

/** What this process has read and compiled: jest does both again for every test file, which took half of a run. */
const transformed = new Map();
const scripts = new Map();

/** Files that a process loads once, outside of the tests. They keep nothing of a test. */
const SHARED = ["../../example-app/test/support/description-validator.js"].map((file) => require.resolve(file));

/** Jest's runtime, in which a module is read and compiled once a process. It still runs once a test file. */
module.exports = class extends Runtime {
  constructor(config, ...rest) {
    super(config, ...rest);
    const { executor, transformCache } = this;
    const { compile } = executor;
    const { transform } = transformCache;

    transformCache.transform = (filename, options) => {
      const key = `${config.id} ${filename}`;
      let entry = transformed.get(key);
      if (entry === undefined || options?.isInternalModule) {
        const code = transform.call(transformCache, filename, options);
        if (options?.isInternalModule) return code;
        transformed.set(key, (entry = transformCache.transforms.get(filename)));
      } else {
        transformCache.transforms.set(filename, entry);
        if (entry.sourceMapPath) transformCache.sourceMaps.set(filename, entry.sourceMapPath);
      }
      return entry.code;
    };

    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      if (context === null || /\bimport\(/.test(source)) return compile.call(executor, source, filename);
      const parameters = executor.injectedModuleParameters.join(", ");
      let script = scripts.get(filename);
      if (script?.source !== source) {
        try {
          const head = `(function (${parameters}) {`;
          const compiled = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
          script = { source, compiled };
        } catch {
          return compile.call(executor, source, filename); // it tells what is wrong
        }
        scripts.set(filename, script);
      }
      return script.compiled.runInContext(context);
    };
  }
  requireModuleOrMock(from, name) {
    const file = name.startsWith(".") ? resolve(dirname(from), name) : name;
    return SHARED.includes(file) ? require(file) : super.requireModuleOrMock(from, name);
  }
};
