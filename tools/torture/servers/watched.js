"use strict";

const { fork } = require("node:child_process");
const { once } = require("node:events");
const { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { hold } = require("./children.js");
const { startServer } = require("./server.js");

const TURNS = path.join(__dirname, "../load/turns.js");
const BYSTANDER = path.join(__dirname, "../load/bystander.js");

/** In milliseconds: a neighbour who has waited no longer for so long is at rest. */
const REST = 25;
const WATCH = 250;
const MAX_RESTING = 30_000;

/** A server and a neighbour of the org that harms it, who is watched while something happens. */
class WatchedServer {
  #folder = mkdtempSync(path.join(os.tmpdir(), "torture-turns-"));
  #neighbour;
  #release;

  /** @param neighbour `{ org, token }`; without a token it writes nothing */
  static async start(database, { neighbour, args = [] }) {
    const watched = new WatchedServer();
    const env = { NODE_OPTIONS: `--require ${TURNS}`, TORTURE_TURNS: watched.#folder };
    watched.server = await startServer(database, { args, env });
    watched.#neighbour = fork(BYSTANDER);
    watched.#release = hold(() => {
      watched.#neighbour.kill("SIGKILL");
      rmSync(watched.#folder, { recursive: true, force: true });
    });
    watched.#neighbour.send({ port: watched.server.port, ...neighbour });
    await sleep(2_000); // until the code is warm
    await watched.rest();
    return watched;
  }

  /** Wait until the neighbour waits no more. */
  async rest() {
    const deadline = Date.now() + MAX_RESTING;
    await this.#readNeighbour();
    for (;;) {
      await sleep(WATCH);
      const { webfinger } = await this.#readNeighbour();
      if ((webfinger.slowest < REST && webfinger.count > 0) || Date.now() > deadline) return;
    }
  }

  /**
   * What happens to the neighbour while `work` runs, and a moment longer.
   *
   * @returns `{ webfinger, write, turn, processor, memory, refused, result }`: the slowest responses, the longest turn of the
   *   event loop and the processor time in milliseconds, the bytes above those at rest
   */
  async measure(work) {
    this.watch(true);
    if (this.#pids().length === 1) await this.server.usage({ collect: true });
    await this.rest();
    await this.#readNeighbour();
    const spent = await this.cost(async () => {
      const result = await work();
      await sleep(50);
      return result;
    });
    const { webfinger, write } = await this.#readNeighbour();
    return {
      ...spent,
      webfinger: webfinger.slowest,
      write: write.slowest,
      refused: { ...webfinger.refused, ...write.refused },
    };
  }

  /** Let the neighbour ask no more, or again. What is measured with {@link cost} has no use for one. */
  watch(isOn) {
    this.#neighbour.send(isOn ? "go" : "pause");
  }

  /**
   * What the server spends while `work` runs: `{ turn, processor, memory, duration, result }`, see {@link measure}.
   */
  async cost(work) {
    const pids = this.#pids();
    const before = pids.map((pid) => readMemory(pid, "VmRSS"));
    for (const pid of pids) resetPeak(pid);
    const start = await this.#readTurns();
    const begun = performance.now();
    const result = await work();
    const duration = performance.now() - begun;
    const end = await this.#readTurns();
    const peak = pids.map((pid) => readMemory(pid, "VmHWM"));
    return {
      turn: Math.max(0, ...end.map(({ longest }) => longest.processor)),
      processor: sum(end.map(({ processor }) => processor)) - sum(start.map(({ processor }) => processor)),
      memory: Math.max(0, sum(peak) - sum(before)),
      duration,
      result,
    };
  }

  async stop() {
    await this.#release();
    await this.server.stop();
  }

  async #readNeighbour() {
    const reply = once(this.#neighbour, "message");
    this.#neighbour.send("read");
    return (await reply)[0];
  }

  #readTurns() {
    return Promise.all(this.#pids().map((pid) => readTurns(path.join(this.#folder, `${pid}.sock`)))).then((found) =>
      found.filter((one) => one !== undefined),
    );
  }

  /** The processes of the server and its workers. */
  #pids() {
    return readdirSync(this.#folder).map((name) => Number.parseInt(name, 10));
  }
}

function readTurns(address) {
  return new Promise((resolve) => {
    const socket = net.connect(address, () => socket.write("read\n"));
    let text = "";
    socket.on("error", () => resolve(undefined)); // the process has ended
    socket.on("data", (chunk) => {
      text += chunk;
      if (!text.endsWith("\n")) return;
      socket.destroy();
      resolve(JSON.parse(text));
    });
  });
}

/** In bytes; 0 where the system does not tell. */
function readMemory(pid, name) {
  try {
    const [, kilobytes = "0"] = new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(
      readFileSync(`/proc/${pid}/status`, "utf8"),
    );
    return Number(kilobytes) * 1_024;
  } catch {
    return 0;
  }
}

/** The peak of the resident memory is that from now on. */
function resetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // the process has ended, or the system has no such file
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

module.exports = { WatchedServer };
