"use strict";

const { spawn, execFileSync } = require("node:child_process");
const { once } = require("node:events");
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");
const { Unavailable } = require("../../kit/unavailable.js");
const { hold } = require("../servers/children.js");

/** Has the configuration that users are told. */
const EXAMPLE = path.join(__dirname, "../../../docs/examples/haproxy-nodes.cfg");

/** In milliseconds. */
const MAX_START = 5_000;

/** The name of the node that answered, in a field of each response. */
const NODE_FIELD = "x-node";

/** HAProxy before the nodes, with the configuration of docs/examples. */
class Balancer {
  #release;

  /** @param nodes `{ name, port }` each */
  static async start(nodes, port) {
    const balancer = new Balancer();
    balancer.port = port;
    balancer.version = readVersion();
    const folder = mkdtempSync(path.join(os.tmpdir(), "torture-haproxy-"));
    const file = path.join(folder, "haproxy.cfg");
    writeFileSync(file, formatConfiguration(nodes, port));
    const child = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
    balancer.#release = hold(async () => {
      const exited = child.exitCode === null ? once(child, "exit") : undefined;
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    });
    await waitUntilAccepted(port, child);
    return balancer;
  }

  close() {
    return this.#release();
  }
}

/** The configuration, for these nodes. */
function formatConfiguration(nodes, port) {
  const lines = readFileSync(EXAMPLE, "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.includes("bind ")) return [`  bind 127.0.0.1:${port}`, `  http-response set-header ${NODE_FIELD} %s`];
      if (line.includes("server node1 ")) return nodes.map(({ name, port: own }) => describeNode(line, name, own));
      return line.includes("server node") ? [] : [line];
    });
  return lines.join("\n");
}

function describeNode(line, name, port) {
  return line.replaceAll("node1", name).replace(/\S+:8080/, `127.0.0.1:${port}`);
}

function readVersion() {
  try {
    return execFileSync("haproxy", ["-v"], { encoding: "utf8", stdio: "pipe" }).match(/[\d.]+\d/)[0];
  } catch {
    throw new Unavailable("there is no haproxy");
  }
}

async function waitUntilAccepted(port, child) {
  const deadline = Date.now() + MAX_START;
  while (!(await isAccepted(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("HAProxy did not start");
    await sleep(20);
  }
}

function isAccepted(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

module.exports = { Balancer, formatConfiguration, NODE_FIELD };
