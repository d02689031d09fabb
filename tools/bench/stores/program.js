"use strict";

const { fork } = require("node:child_process");
const { once } = require("node:events");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { compiledPath } = require("./databases.js");

/** Asked "usage", the process tells what it has used so far, see `probe.js`. */
const PROBED = ["--require", path.join(__dirname, "probe.js")];

/** As `npm start` has it: half of the room for what is young saves 30 MB and costs no time that could be measured. */
const FLAGS = ["--max-semi-space-size=8"];

/** A process of its own. */
class Program {
  #child;

  constructor(file, args, { execArgv = [], execPath } = {}) {
    this.#child = fork(file, args, {
      execArgv,
      execPath,
      env: withoutSettings(process.env),
      stdio: ["ignore", "pipe", "ignore", "ipc"], // what it logs is written, and goes nowhere
    });
  }

  get pid() {
    return this.#child.pid;
  }

  /** Wait until it says where it listens. */
  async listening() {
    for await (const line of createInterface(this.#child.stdout)) {
      const [, url] = /listening on (\S+)$/.exec(line) ?? [];
      if (url !== undefined) return url;
    }
    throw new Error(`${this.#child.spawnargs.slice(1).join(" ")} did not start`);
  }

  /** Send a message and wait for the next one that comes back. */
  ask(message) {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      child.once("message", onMessage);
      child.once("exit", onExit);
      child.send(message);

      function onMessage(answer) {
        child.off("exit", onExit);
        resolve(answer);
      }

      function onExit(code) {
        child.off("message", onMessage);
        reject(new Error(`${child.spawnargs.slice(1).join(" ")} ended with ${code}`));
      }
    });
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill();
    await exited;
  }
}

/** The server itself with all that it does, over plain HTTP behind a proxy on this machine. */
function startServer({ options: { databaseUrl, dataFolder } }, { args = [], execArgv = [], execPath } = {}) {
  const given = [
    "--http",
    "--trusted-proxies",
    "loopback",
    "--rate-limits",
    "off",
    "--port",
    "0",
    "--data",
    dataFolder,
    ...args,
  ];
  if (databaseUrl !== undefined) given.push("--database-url", databaseUrl);
  return new Program(compiledPath("main.js"), given, {
    execArgv: [...FLAGS, ...PROBED, ...execArgv],
    execPath,
  });
}

/** A server that answers with the bytes and the type of one answer, see `constants.js`. */
function startConstant(name, { type, text }, { execPath } = {}) {
  return new Program(path.join(__dirname, "constants.js"), [name, type, text], { execArgv: PROBED, execPath });
}

function startLoad() {
  return new Program(path.join(__dirname, "load.js"), []);
}

/** Settings of whoever runs the benchmark are not those of its servers. */
function withoutSettings(env) {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("ETIQUETTE_") && name !== "DATABASE_URL");
  return Object.fromEntries(kept);
}

module.exports = { startConstant, startLoad, startServer };
