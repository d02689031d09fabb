"use strict";

const { execFile, execFileSync, spawn } = require("node:child_process");
const { once } = require("node:events");
const { writeFileSync } = require("node:fs");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { URL } = require("node:url");
const { promisify } = require("node:util");
const { compiledPath } = require("../../bench/stores/databases.js");
const { hold } = require("./children.js");

const PROBE = path.join(__dirname, "probe.js");

/** The most lines of the log that are kept. */
const MAX_LINES = 10_000;

/**
 * The server in a process of its own, over plain HTTP behind a proxy on this machine, unless `args` say otherwise. It
 * logs only errors.
 */
class Server {
  #child;
  #release;
  /** The last lines of the log, parsed if they are JSON. */
  lines = [];

  constructor(
    { dataFolder, databaseUrl },
    { args = [], execPath = process.execPath, tls = false, host = "127.0.0.1", port = 0, env = {} } = {},
  ) {
    this.host = host;
    const plain = tls ? [] : ["--http", "--trusted-proxies", "loopback"];
    const given = [
      ...plain,
      "--host",
      host,
      "--port",
      String(port),
      "--data",
      dataFolder,
      "--log-level",
      "error",
      ...args,
    ];
    if (databaseUrl !== undefined) given.push("--database-url", databaseUrl);
    this.#child = spawn(
      execPath,
      ["--expose-gc", "--require", PROBE, "--max-semi-space-size=8", compiledPath("main.js"), ...given],
      {
        env: { ...withoutSettings(process.env), ...env },
        stdio: ["ignore", "pipe", "pipe", "ipc"],
      },
    );
    this.#child.on("error", () => undefined); // a message to a process that just ended
    this.#release = hold(() => this.kill());
    this.exited = once(this.#child, "exit").then(([code, signal]) => code ?? signal);
    createInterface(this.#child.stderr).on("line", (line) => this.#note(line));
  }

  /** Wait until it says where it listens. */
  async listening() {
    for await (const line of createInterface(this.#child.stdout)) {
      const [, url] = /listening on (\S+)$/.exec(line) ?? [];
      if (url === undefined) continue;
      this.url = url;
      this.port = Number(new URL(url).port);
      return this;
    }
    throw new Error(`the server did not start: ${this.lines.map((line) => JSON.stringify(line)).join(" ")}`);
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it has used so far, see `probe.js`. */
  async usage({ collect = false } = {}) {
    const reply = once(this.#child, "message");
    this.#child.send({ ask: "usage", collect });
    const [usage] = await Promise.race([
      reply,
      this.exited.then((code) => Promise.reject(new Error(`the server ended with ${code}`))),
    ]);
    return usage;
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
    if (this.isRunning) this.#child.kill("SIGTERM");
    await this.exited;
    await this.#release();
  }

  /** The line of the log about a request, by its id. */
  findLine(requestId) {
    return this.lines.find((line) => line.requestId === requestId);
  }

  #note(line) {
    if (this.lines.length === MAX_LINES) this.lines.shift();
    this.lines.push(parseLine(line));
  }
}

function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { text: line };
  }
}

async function startServer(database, options) {
  return new Server(database, options).listening();
}

/** Import `document`, as the command line does. */
async function importDocument(database, document) {
  const file = path.join(database.dataFolder, "import.json");
  writeFileSync(file, JSON.stringify(document));
  await runCommand(database, ["import", file]);
}

/** An API token of the org with this subdomain, with all scopes. */
async function createToken(database, org) {
  return (
    await runCommand(database, ["token", "create", "--org", org, "--name", `torture ${process.hrtime.bigint()}`])
  ).trim();
}

async function runCommand({ dataFolder, databaseUrl }, args) {
  const where = ["--data", dataFolder, ...(databaseUrl === undefined ? [] : ["--database-url", databaseUrl])];
  const options = { env: withoutSettings(process.env), maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [compiledPath("main.js"), ...args, ...where], options);
  return stdout;
}

/** `args` if the server has the flag that they begin with: what a part must switch off may not be there yet. */
function ifSupported(...args) {
  return helpText().includes(`${args[0]} `) ? args : [];
}

let help;

function helpText() {
  help ??= execFileSync(process.execPath, [compiledPath("main.js"), "--help"], { encoding: "utf8" });
  return help;
}

/** Settings of whoever runs this are not those of its servers. */
function withoutSettings(env) {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !name.startsWith("ETIQUETTE_") && !/^(?:DATABASE_URL|NODE_OPTIONS)$/.test(name),
    ),
  );
}

module.exports = { createToken, ifSupported, importDocument, Server, startServer };
