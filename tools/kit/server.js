"use strict";

const path = require("node:path");
const { compiledPath } = require("./compiled.js");
const { Program } = require("./program.js");

/** As `npm start` has it: half of the room for what is young saves 30 MB and costs no time that could be measured. */
const FLAGS = ["--max-semi-space-size=8", "--require", path.join(__dirname, "probe.js")];

/** The server on a database: over plain HTTP behind a proxy on this machine, unless it has `tls`. */
class Server extends Program {
  /**
   * @param options those of a program; `args` are more arguments of the command line, `port` 0 takes a free one, `main` is the
   *   file of another version
   */
  constructor({ dataFolder, databaseUrl }, { args = [], execArgv = [], tls = false, port = 0, main, ...options } = {}) {
    const given = ["--port", String(port), "--data", dataFolder, ...args];
    if (!tls) given.push("--http", "--trusted-proxies", "loopback");
    if (databaseUrl !== undefined) given.push("--database-url", databaseUrl);
    super(main ?? compiledPath("main.js"), given, { ...options, execArgv: [...FLAGS, ...execArgv] });
  }
}

module.exports = { Server };
