"use strict";

const { fork } = require("node:child_process");
const { once } = require("node:events");
const path = require("node:path");

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

  #load = start("load.js", [], process.execPath);
  #servers = new Map();

  constructor(execPath) {
    this.execPath = execPath;
  }

  /** Start a server if it is not running, and warm it up for a workload. */
  async prepare(name, workload) {
    if (!this.#servers.has(name)) {
      const child = start("server.js", [name], this.execPath);
      this.#servers.set(name, child);
      child.port = (await receive(child)).port;
    }
    let requests = 0;
    for (let second = 0; second < WARM_UP.seconds && requests < WARM_UP.requests; second++) {
      requests += (await this.sample(name, workload, 1)).responses;
    }
  }

  /** What a server has used and answered under some seconds of load: µs of CPU for a request, requests a second, MB. */
  async sample(name, workload, seconds) {
    const child = this.#servers.get(name);
    const before = await ask(child, "usage");
    const { failures } = await ask(this.#load, { port: child.port, workload, seconds });
    const after = await ask(child, "usage");
    if (failures > 0) throw new Error(`${name} failed ${failures} requests of ${workload}`);
    const responses = after.responses - before.responses;
    return {
      responses,
      cpu: (after.cpu - before.cpu) / responses,
      rate: (responses * 1_000) / (after.time - before.time),
      resident: after.resident / 2 ** 20,
    };
  }

  async #stop() {
    const running = [this.#load, ...this.#servers.values()].filter(({ exitCode, signalCode }) => {
      return exitCode === null && signalCode === null;
    });
    await Promise.all(
      running.map((child) => {
        child.kill();
        return once(child, "exit");
      }),
    );
  }
}

function start(file, args, execPath, execArgv) {
  return fork(path.join(__dirname, file), args, { execPath, execArgv });
}

function ask(child, message) {
  child.send(message);
  return receive(child);
}

/** The next message of `child`; an error when it ends before. */
function receive(child) {
  return new Promise((resolve, reject) => {
    child.once("message", onMessage);
    child.once("exit", onExit);

    function onMessage(message) {
      child.off("exit", onExit);
      resolve(message);
    }

    function onExit(code) {
      child.off("message", onMessage);
      reject(new Error(`${child.spawnargs.slice(2).join(" ")} ended with ${code}`));
    }
  });
}

module.exports = { ask, Fleet, receive, start };
