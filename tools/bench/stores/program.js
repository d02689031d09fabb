"use strict";

const path = require("node:path");
const { Program } = require("../../kit/program.js");
const { Server } = require("../../kit/server.js");

/** The server itself with all that it does. What it logs is written, and goes nowhere. */
function startServer({ options: database }, { args = [], ...options } = {}) {
  return new Server(database, { ...options, args: ["--rate-limits", "off", ...args], stderr: "ignore" });
}

/** A server that answers with the bytes and the type of one answer to a path, see `constants.js`. */
function startConstant(name, { type, text, path: pathname }, options) {
  return new Program(path.join(__dirname, "constants.js"), [name, type, text, pathname], options);
}

function startLoad() {
  return new Program(path.join(__dirname, "load.js"));
}

module.exports = { startConstant, startLoad, startServer };
