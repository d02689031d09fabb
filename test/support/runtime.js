"use strict";

const { dirname, relative, resolve } = require("node:path");
const { performance } = require("node:perf_hooks");
const { Script } = require("node:vm");
const Runtime = require("jest-runtime").default;

/** What this process has read and compiled: jest does both again for every test file, which took half of a run. */
const transformed = new Map();
const scripts = new Map();

/** The milliseconds that this process took to read and compile. */
let compiling = 0;
let compilingSince;

/** Files that a process loads once, outside of the tests. They keep nothing of a test. */
const SHARED = ["../../example-app/test/support/description-validator.js"].map((file) => require.resolve(file));

/** Modules that a process runs once for all test files. They keep nothing of a test; jest's runner does. */
const KEPT =
  /^(example-app\/)?(node_modules\/(?!jest-circus\/)|src\/|lib\/|middleware\/|check\/|index\.ts$|suite\.ts$|test\/support\/(databases|console-build)\.ts$)/;

/**
 * Jest's runtime, in which a module is read and compiled once a process. In environment.js there is one runtime for all test
 * files: tests and their support are loaded anew for each of them, other modules are not.
 */
module.exports = class extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig) {
    if (environment.runtime) return environment.runtime.reuse(testPath);
    super(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig);
    environment.keep?.(this);
    const { executor, transformCache } = this;
    const compile = timed(executor.compile);
    const transform = timed(transformCache.transform);

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
      // a file with an environment of its own, such as one that counts steps, compiles its modules itself
      const isOwn = environment.keep === undefined;
      if (context === null || isOwn || /\bimport\(/.test(source)) return compile.call(executor, source, filename);
      const parameters = executor.injectedModuleParameters.join(", ");
      let script = scripts.get(filename);
      if (script?.source !== source) {
        try {
          script = { source, compiled: compileScript(source, filename, parameters) };
        } catch {
          return compile.call(executor, source, filename); // it tells what is wrong
        }
        scripts.set(filename, script);
      }
      return script.compiled.runInContext(context);
    };
  }
  reuse(testPath) {
    this._testPath = testPath;
    this.executor.testPath = testPath;
    this.testState.state = "loading";
    return this;
  }
  teardown() {
    if (this._environment.runtime !== this) return super.teardown();
    const { moduleRegistry, internalModuleRegistry } = this.registries;
    for (const registry of [moduleRegistry, internalModuleRegistry])
      for (const file of registry.keys()) if (!KEPT.test(relative(this._config.rootDir, file))) registry.delete(file);
    this.restoreAllMocks();
    this.testMainModule.reset();
    this.loggedReferenceErrors.clear();
    this.testState.teardown();
  }
  setMock(...mock) {
    refuse(this, "jest.mock()");
    super.setMock(...mock);
  }
  resetModules() {
    refuse(this, "jest.resetModules()");
    super.resetModules();
  }
  isolateModules(load) {
    refuse(this, "jest.isolateModules()");
    super.isolateModules(load);
  }
  requireModuleOrMock(from, name) {
    const file = name.startsWith(".") ? resolve(dirname(from), name) : name;
    return SHARED.includes(file) ? require(file) : super.requireModuleOrMock(from, name);
  }
};

module.exports.timeCompiling = () => compiling;

const compileScript = timed((source, filename, parameters) => {
  const head = `(function (${parameters}) {`;
  return new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
});

/** The same function; its time counts as compiling. */
function timed(work) {
  return function (...parameters) {
    const isInner = compilingSince !== undefined;
    if (!isInner) compilingSince = performance.now();
    try {
      return work.apply(this, parameters);
    } finally {
      if (!isInner) {
        compiling += performance.now() - compilingSince;
        compilingSince = undefined;
      }
    }
  };
}

function refuse(runtime, call) {
  if (runtime._environment.runtime === runtime)
    throw new Error(`${call} would change what other files get: begin this one with /** @jest-environment node */`);
}
