"use strict";

const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { createInterface } = require("node:readline");

/** A file of JavaScript in a process of its own, without the settings of whoever runs the tool. */
class Program {
  #child;

  /**
   * @param options `execPath` and `execArgv` of Node, more `env`, and `stderr`: "inherit", "ignore" or "pipe"; what is
   *   piped goes to {@link onLine}
   */
  constructor(file, args = [], { execPath = process.execPath, execArgv = [], env = {}, stderr = "inherit" } = {}) {
    this.#child = spawn(execPath, [...execArgv, file, ...args], {
      env: { ...withoutSettings(process.env), ...env },
      stdio: ["ignore", "pipe", stderr, "ipc"],
    });
    this.#child.on("error", () => undefined); // a message to a process that just ended
    this.exited = once(this.#child, "exit").then(([code, signal]) => code ?? signal);
    if (stderr === "pipe") createInterface(this.#child.stderr).on("line", (line) => this.onLine(line));
  }

  /** Called with each line that the process writes on standard error. */
  onLine() {}

  get pid() {
    return this.#child.pid;
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Wait until it says where it listens; returns the URL. */
  async listening() {
    for await (const line of createInterface(this.#child.stdout)) {
      const [, url] = /listening on (\S+)$/.exec(line) ?? [];
      if (url !== undefined) return url;
    }
    throw new Error(`${this} did not start`);
  }

  /** Send a message and wait for the next one that comes back. */
  ask(message) {
    this.#child.send(message);
    return this.receive();
  }

  /** The next message of the process; an error when it ends before. */
  async receive() {
    const ended = this.exited.then((code) => Promise.reject(new Error(`${this} ended with ${code}`)));
    const [message] = await Promise.race([once(this.#child, "message"), ended]);
    return message;
  }

  /** What it has used so far, if `probe.js` is loaded there. `collect` collects garbage before, with `--expose-gc`. */
  usage({ collect = false } = {}) {
    return this.ask({ ask: "usage", collect });
  }

  signal(name) {
    this.#child.kill(name);
  }

  /** @returns its exit code, or the signal that ended it */
  async kill() {
    if (this.isRunning) this.#child.kill("SIGKILL");
    return this.exited;
  }

  async stop() {
    if (this.isRunning) this.#child.kill();
    await this.exited;
  }

  toString() {
    return this.#child.spawnargs.slice(1).join(" ");
  }
}

/** Without what would change a server, or the Node that runs it. */
function withoutSettings(env) {
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith("ETIQUETTE_") && name !== "DATABASE_URL" && name !== "NODE_OPTIONS",
  );
  return Object.fromEntries(kept);
}

module.exports = { Program, withoutSettings };
