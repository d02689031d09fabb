"use strict";

const { execFile, execFileSync, spawn, spawnSync } = require("node:child_process");
const { once } = require("node:events");
const { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");
const { promisify } = require("node:util");
const { Client } = require("pg");
const { Unavailable } = require("../../kit/unavailable.js");
const { hold } = require("./children.js");
const { findFreePort } = require("./free-port.js");

/** In milliseconds. After a crash PostgreSQL first reads its log. */
const MAX_START = 60_000;

/** An instance of PostgreSQL of its own, in a temporary folder, that waits for its disk as in production. */
class Cluster {
  #process;
  #bin = findPrograms();
  #user = findUser();
  #databases = 0;
  #release;

  static async create(settings = {}) {
    const cluster = new Cluster();
    await cluster.#initialize(settings);
    await cluster.start();
    return cluster;
  }

  /**
   * A copy of this instance that receives its log, and takes no writes before {@link promote}.
   *
   * @param tablespaces the folder of the copy for each folder of a tablespace
   */
  async createStandby(tablespaces = {}) {
    const standby = new Cluster();
    await standby.#initialize(this.settings, (data) => {
      const from = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "torture"];
      const moved = Object.entries(tablespaces).flatMap(([old, own]) => ["-T", `${old}=${own}`]);
      return standby.#execute("pg_basebackup", [...from, "-D", data, "-R", "-X", "stream", "-c", "fast", ...moved]);
    });
    await standby.start();
    const follows = "select from pg_stat_wal_receiver where status = 'streaming'";
    const deadline = Date.now() + MAX_START;
    while ((await standby.query(follows)).length === 0) {
      if (Date.now() > deadline) throw new Error("The standby does not receive the log");
      await sleep(20);
    }
    return standby;
  }

  /** Let it take writes. */
  async promote() {
    await this.query("select pg_promote()");
  }

  /** Reaches `signal` all of its processes, such as SIGSTOP: connections then are neither served nor closed. */
  signalAll(signal) {
    if (!this.#isRunning()) return;
    this.#process.kill(signal);
    for (const pid of childrenOf(this.#process.pid)) signalIfThere(pid, signal);
  }

  get version() {
    return execFileSync(path.join(this.#bin, "postgres"), ["--version"], { encoding: "utf8" }).match(/[\d.]+/)[0];
  }

  get port() {
    return this.settings.port;
  }

  /** The user and the group who must own its folders. */
  get owner() {
    return [this.#user.uid ?? process.getuid(), this.#user.gid ?? process.getgid()];
  }

  /** The address of a database of this instance; through another port, that of a proxy. */
  url(database, port = this.port) {
    return `postgres://torture@127.0.0.1:${port}/${database}`;
  }

  /** A new, empty database. */
  async createDatabase(options = "") {
    const name = `torture_${++this.#databases}`;
    await this.query(`create database ${name} ${options}`);
    return name;
  }

  async query(sql, database = "postgres") {
    const client = new Client({ connectionString: this.url(database) });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async start() {
    const given = Object.entries(this.settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const deadline = Date.now() + MAX_START;
    while (Date.now() < deadline) {
      // after a crash it refuses to start until the last process of the one before has ended
      if (!this.#isRunning()) {
        this.#process = spawn(path.join(this.#bin, "postgres"), ["-D", this.data, ...given], {
          ...this.#user,
          stdio: "ignore",
        });
      }
      if (await this.query("select 1").catch(() => undefined)) return;
      await sleep(20);
    }
    throw new Error("PostgreSQL did not start");
  }

  #isRunning() {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** SIGKILL: a crash. SIGINT: a fast shutdown. */
  async end(signal) {
    if (!this.#isRunning()) return;
    const child = this.#process;
    this.signalAll("SIGCONT"); // a process that is stopped doesn't end with its parent
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  remove() {
    return this.#release();
  }

  #execute(program, args) {
    return promisify(execFile)(path.join(this.#bin, program), args, this.#user);
  }

  /** @param fill makes the folder of the data */
  async #initialize(settings, fill = (data) => this.#execute("initdb", initialArguments(data))) {
    this.folder = mkdtempSync(path.join(os.tmpdir(), "torture-pg-"));
    this.data = path.join(this.folder, "data");
    if (this.#user.uid !== undefined) chownSync(this.folder, this.#user.uid, this.#user.gid);
    this.#release = hold(async () => {
      await this.end("SIGINT");
      rmSync(this.folder, { recursive: true, force: true });
    });
    await fill(this.data);
    this.settings = {
      listen_addresses: "127.0.0.1",
      fsync: "on",
      max_connections: 200,
      ...settings,
      port: await findFreePort(),
      unix_socket_directories: this.folder,
    };
  }
}

function childrenOf(pid) {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return (stdout.match(/\d+/g) ?? []).map(Number);
}

/** A backend may end by itself between `ps` and the signal. */
function signalIfThere(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function initialArguments(data) {
  return ["-D", data, "-U", "torture", "-A", "trust", "-E", "UTF8", "--locale=C"];
}

/** The folder of the newest PostgreSQL on this machine. */
function findPrograms() {
  const parent = "/usr/lib/postgresql";
  const found = existsSync(parent) ? readdirSync(parent).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...found.map((version) => path.join(parent, version, "bin")),
    ...(process.env.PATH ?? "").split(":"),
  ];
  const bin = folders.find(
    (folder) => existsSync(path.join(folder, "initdb")) && existsSync(path.join(folder, "postgres")),
  );
  if (bin === undefined) throw new Unavailable("there are no programs of PostgreSQL (initdb, postgres)");
  return bin;
}

/** PostgreSQL refuses to run as root. */
function findUser() {
  if (process.getuid() !== 0) return {};
  try {
    const id = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: "pipe" }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    throw new Unavailable("PostgreSQL does not run as root, and there is no user postgres");
  }
}

let shared;

/** One instance for all parts that do not harm it. */
function sharedCluster() {
  shared ??= Cluster.create();
  return shared;
}

/** Whether {@link Cluster} works on this machine. */
function hasPrograms() {
  try {
    return Boolean(findPrograms() && findUser());
  } catch {
    return false;
  }
}

module.exports = { Cluster, hasPrograms, sharedCluster };
