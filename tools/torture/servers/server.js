"use strict";

const { execFile, execFileSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const path = require("node:path");
const { URL } = require("node:url");
const { promisify } = require("node:util");
const { compiledPath } = require("../../kit/compiled.js");
const { withoutSettings } = require("../../kit/program.js");
const { Server } = require("../../kit/server.js");
const { hold } = require("./children.js");

/** The most lines of the log that are kept. */
const MAX_LINES = 10_000;

/** A server that logs only errors, and ends with the program. */
class HeldServer extends Server {
  #release;
  /** The last lines of the log, parsed if they are JSON. */
  lines = [];

  constructor(database, { args = [], host = "127.0.0.1", ...options } = {}) {
    const given = ["--host", host, "--log-level", "error", ...args];
    super(database, { ...options, args: given, execArgv: ["--expose-gc"], stderr: "pipe" });
    this.host = host;
    this.#release = hold(() => this.kill());
  }

  async listening() {
    try {
      this.url = await super.listening();
    } catch (error) {
      throw new Error(`the server wrote ${JSON.stringify(this.lines)}`, { cause: error });
    }
    this.port = Number(new URL(this.url).port);
    return this.url;
  }

  async stop() {
    await super.stop();
    await this.#release();
  }

  /** The line of the log about a request, by its id. */
  findLine(requestId) {
    return this.lines.find((line) => line.requestId === requestId);
  }

  onLine(line) {
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
  const server = new HeldServer(database, options);
  await server.listening();
  return server;
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

/** @returns what the command of the server writes to its standard output */
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

module.exports = { createToken, ifSupported, importDocument, runCommand, startServer };
