"use strict";

const http = require("node:http");
const { mkdirSync } = require("node:fs");
const path = require("node:path");
const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { startServer } = require("../servers/server.js");
const { findFreePort } = require("../servers/free-port.js");
const { SmallDisk } = require("../servers/small-disk.js");

const CLOCK = path.join(__dirname, "skewed-clock.js");

/** In MiB a day: what requests may add to the log of an org. Changes are always recorded. */
const LOG_LIMIT = 20;

/** In seconds: HAProxy must notice that a node ends. */
const DRAIN_DELAY = 5;

/** In megabytes. */
const DATA_DISK = 64;

/** In milliseconds: the pause between two questions whether a node is ready, and how long one waits. */
const PAUSE = 50;
const PATIENCE = 3_000;

/** One of several servers on a database, with a data folder on a small disk. */
class Node {
  #database;
  #server;
  #disk = new SmallDisk(DATA_DISK);

  /** @param database as this node reaches it */
  static async prepare(name, database) {
    const node = new Node();
    node.name = name;
    node.port = await findFreePort();
    node.adminPort = await findFreePort();
    const dataFolder = path.join(node.#disk.folder, "data");
    mkdirSync(dataFolder);
    node.#database = { ...database, dataFolder };
    return node;
  }

  /** @param main the program, if it is that of another version */
  async start(main) {
    const args = ["--admin-port", String(this.adminPort), "--rate-limits", "off", "--secrets", SECRET];
    args.push("--log-day-limit", String(LOG_LIMIT), "--drain-delay", String(DRAIN_DELAY));
    const env = { NODE_OPTIONS: `--require ${CLOCK}` };
    this.#server = await startServer(this.#database, { args, env, port: this.port, main });
  }

  get isRunning() {
    return this.#server.isRunning;
  }

  /** What its log says about a request that ended with a 5xx. */
  causeOf(requestId) {
    return this.#server.findLine(requestId)?.err?.message;
  }

  kill() {
    return this.#server.kill();
  }

  /** SIGTERM: it ends when it has drained. */
  stop() {
    return this.#server.stop();
  }

  signal(name) {
    this.#server.signal(name);
  }

  /** Let its clock be wrong by so many milliseconds. */
  skew(milliseconds) {
    return this.#server.ask({ ask: "skew", skew: milliseconds });
  }

  fill() {
    return this.#disk.fill();
  }

  empty() {
    this.#disk.empty();
  }

  /** Wait until its `/readyz` says `ok`: the time, and what it said before. Rejects after `limit` milliseconds. */
  async ready(limit) {
    const deadline = performance.now() + limit;
    for (let before; ; await sleep(PAUSE)) {
      const answer = await this.ask("/readyz");
      const time = performance.now();
      if (answer === "200 ok") return { time, before };
      if (time > deadline) throw new Error(`${this.name} was not ready after ${limit} ms: ${answer}`);
      before = answer;
    }
  }

  /** The status and the text of a path of its admin port, or why there is none. */
  ask(path) {
    return new Promise((resolve) => {
      const options = { host: "127.0.0.1", port: this.adminPort, path, timeout: PATIENCE, agent: false };
      const request = http.get(options, (response) => {
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("close", () => resolve(`${response.statusCode} ${text.trim()}`));
      });
      request.on("timeout", () => request.destroy(new Error("silent")));
      request.on("error", ({ message }) => resolve(message));
    });
  }

  async remove() {
    this.signal("SIGCONT");
    await this.stop();
    await this.#disk.remove();
  }
}

/** The same on every node. */
const SECRET = "chaos".repeat(8);

module.exports = { Node };
