"use strict";

const NodeEnvironment = require("jest-environment-node").default;

/** By how much each test and hook may take longer than it says. */
const PATIENCE = Number(process.env.PATIENCE);

/** The environment that this process keeps for all test files, by the folder that the modules are in. */
const kept = new Map();

/**
 * Jest's environment, one for all test files of all projects, because to load the modules anew for each file took a third of a run.
 * runtime.js keeps the modules. What a file changes of the global object, of `process` and of its variables is undone after it. A
 * file that mocks modules begins with `@jest-environment node`, which gives it an environment of its own.
 */
module.exports = class extends NodeEnvironment {
  constructor(config, context) {
    const { rootDir } = config.projectConfig;
    if (kept.has(rootDir)) return kept.get(rootDir);
    super(config, context);
    kept.set(rootDir, this);
  }
  /** Keeps the runtime as well. Every test file finds what is there now. */
  keep(runtime) {
    this.runtime = runtime;
    const { process } = this.global;
    this.saved = [this.global, process, process.env].map((object) => [
      object,
      Object.getOwnPropertyDescriptors(object),
    ]);
  }
  handleTestEvent(event, state) {
    if (event.name === "run_start") state.testTimeout *= PATIENCE; // after jest has read what jest.setTimeout() said
    const own = event.name === "test_start" ? event.test : event.name === "hook_start" ? event.hook : {};
    if (own.timeout && !own.isPatient) Object.assign(own, { timeout: own.timeout * PATIENCE, isPatient: true });
  }
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    for (const [object, properties] of this.saved) restore(object, properties);
  }
};

/** Gives an object the properties that it had, and no others. */
function restore(object, properties) {
  for (const key of Reflect.ownKeys(object)) if (!Object.hasOwn(properties, key)) Reflect.deleteProperty(object, key);
  for (const key of Reflect.ownKeys(properties)) {
    const { value, get } = properties[key];
    const found = Reflect.getOwnPropertyDescriptor(object, key);
    const isSame = found !== undefined && Object.is(found.value, value) && found.get === get;
    if (!isSame) Reflect.defineProperty(object, key, properties[key]);
  }
}
