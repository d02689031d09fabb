"use strict";

const { execFileSync } = require("node:child_process");
const { Unavailable } = require("../../kit/unavailable.js");
const { hold } = require("./children.js");

const ADDRESS = "127.77.0.1";

/** The route to it: segments as on Ethernet. Those of the loopback are 64 KB, so the system keeps 4 MB for each client. */
const ROUTE = ["local", `${ADDRESS}/32`, "dev", "lo", "table", "local"];
const SEGMENTS = ["advmss", "1460"];

/**
 * An address of this machine on which the system keeps as few bytes for a client that doesn't read as it does on Ethernet.
 * Only root can make one.
 *
 * @returns `{ address, remove }`
 */
function createEthernetAddress() {
  try {
    execFileSync("ip", ["route", "replace", ...ROUTE, ...SEGMENTS], { stdio: "pipe" });
  } catch (error) {
    throw new Unavailable(`no route can be added: ${error.message.split("\n")[0]}`);
  }
  return { address: ADDRESS, remove: hold(() => execFileSync("ip", ["route", "del", ...ROUTE])) };
}

module.exports = { createEthernetAddress };
