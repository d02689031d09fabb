"use strict";

const path = require("node:path");
const { Program } = require("../../kit/program.js");

/** Requests that a server answers before it is measured, and how many seconds at most that may take. */
const WARM_UP = { requests: 10_000, seconds: 4 };

/**
 * Servers and a source of load, each in a process of its own. They stay from one workload to the next, warm; a fleet on
 * another Node replaces the one before.
 */
class Fleet {
  static #current;

  /** The fleet whose servers run on the Node at `execPath`. */
  static async on(execPath) {
    if (this.#current?.execPath !== execPath) {
      await this.stop();
      this.#current = new Fleet(execPath);
    }
    return this.#current;
  }

  static async stop() {
    await this.#current?.#stop();
    this.#current = undefined;
  }

  #load = startLoad();
  #servers = new Map();

  constructor(execPath) {
    this.execPath = execPath;
  }

  /** Start a server if it is not running, and warm it up for a workload. */
  async prepare(name, workload, effort) {
    if (!this.#servers.has(name)) {
      this.#servers.set(name, await startServer(name, { execPath: this.execPath }));
    }
    let requests = 0;
    for (let second = 0; second < WARM_UP.seconds * effort && requests < WARM_UP.requests; second++) {
      requests += (await this.sample(name, workload, 1)).responses;
    }
  }

  /** What a server has used and answered under some seconds of load: µs of CPU for a request, requests a second, MB. */
  async sample(name, workload, seconds) {
    const server = this.#servers.get(name);
    const before = await server.usage();
    const { failures } = await this.#load.ask({ port: server.port, workload, seconds });
    const after = await server.usage();
    if (failures > 0) throw new Error(`${name} failed ${failures} requests of ${workload}`);
    const responses = after.responses - before.responses;
    return {
      responses,
      cpu: (after.cpu - before.cpu) / responses,
      rate: (responses * 1_000) / (after.time - before.time),
      resident: after.resident / 2 ** 20,
    };
  }

  #stop() {
    return Promise.all([this.#load, ...this.#servers.values()].map((program) => program.stop()));
  }
}

/** One of the servers of `servers.js`, which has a `port`. */
async function startServer(name, options) {
  const server = new Program(path.join(__dirname, "server.js"), [name], options);
  server.port = (await server.receive()).port;
  return server;
}

function startLoad() {
  return new Program(path.join(__dirname, "load.js"));
}

module.exports = { Fleet, startLoad, startServer };
