"use strict";

const { spawn, execFileSync } = require("node:child_process");
const { once } = require("node:events");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");
const { Unavailable } = require("../../kit/unavailable.js");
const { hold } = require("../servers/children.js");

/** In milliseconds. */
const MAX_START = 5_000;

/** The name of the node that answered, in a field of each response. */
const NODE_FIELD = "x-node";

/** HAProxy before the nodes, as docs/guides/monitoring.md has it: discovery is asked again at another node. */
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

function formatConfiguration(nodes, port) {
  return `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option redispatch 1
frontend web
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-Proto https
  http-response set-header ${NODE_FIELD} %s
  use_backend discovery if { path /.well-known/webfinger } or { path_beg /sso }
  default_backend etiquette
backend discovery
  timeout server 2s
  retries 2
  retry-on conn-failure empty-response response-timeout
  http-request disable-l7-retry unless METH_GET
${formatServers(nodes, "track etiquette/")}
backend etiquette
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  default-server check inter 2s fall 2 rise 1 on-marked-down shutdown-sessions
${formatServers(nodes)}
`;
}

function formatServers(nodes, track) {
  return nodes
    .map(({ name, port }) => `  server ${name} 127.0.0.1:${port}${track === undefined ? "" : ` ${track}${name}`}`)
    .join("\n");
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

module.exports = { Balancer, NODE_FIELD };
