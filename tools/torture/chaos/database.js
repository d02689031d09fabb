"use strict";

const { chownSync, mkdirSync } = require("node:fs");
const path = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");
const { createDatabase } = require("../servers/databases.js");
const { Cluster } = require("../servers/postgres.js");
const { Proxy } = require("../servers/proxy.js");
const { SmallDisk } = require("../servers/small-disk.js");

/** In megabytes: the disk that can be full. The log of the requests of an hour fits, see LOG_LIMIT of fleet.js. */
const DISK_SIZE = 512;

/** In milliseconds: how long the address leads to a standby. */
const READ_ONLY = 500;

/** PostgreSQL whose commits wait for a standby, with an address of its own for each of those who use it. */
class ReplicatedDatabase {
  #primary;
  #disk;
  #standby;
  #standbyDisk;
  #database;
  #proxies;

  /** @param users how many have an address */
  static async create(users) {
    const replicated = new ReplicatedDatabase();
    const [disk, folder] = createDisk();
    const primary = await Cluster.create();
    chownSync(folder, ...primary.owner);
    await primary.query(`create tablespace small location '${folder}'`);
    Object.assign(replicated, { versions: { PostgreSQL: primary.version } });
    replicated.#primary = primary;
    replicated.#disk = { disk, folder };
    await replicated.#follow();
    replicated.#database = await createDatabase("postgresql", { cluster: primary, options: "tablespace small" });
    replicated.#proxies = await Promise.all(Array.from({ length: users }, () => Proxy.to(primary.port)));
    return replicated;
  }

  /** The database as the user with this number reaches it; its data folder is one for commands. */
  of(user) {
    const { name, dataFolder, engine } = this.#database;
    return { engine, dataFolder, databaseUrl: this.#primary.url(name, this.#proxies[user].port) };
  }

  get users() {
    return this.#proxies.map((_, user) => user);
  }

  async cut(users = this.users) {
    await Promise.all(users.map((user) => this.#proxies[user].cut()));
  }

  hang() {
    for (const proxy of this.#proxies) proxy.hang();
  }

  async restore(users = this.users) {
    await Promise.all(users.map((user) => this.#proxies[user].restore()));
  }

  fill() {
    return this.#disk.disk.fill();
  }

  empty() {
    this.#disk.disk.empty();
  }

  /** @param isGone whether the connections to the primary stay open, and nothing answers on them */
  async failOver(isGone) {
    const [old, oldDisk] = [this.#primary, this.#disk];
    if (isGone) {
      for (const proxy of this.#proxies) proxy.strand();
      old.signalAll("SIGSTOP");
    } else await old.end("SIGKILL");
    for (const proxy of this.#proxies) proxy.lead(this.#standby.port);
    await sleep(READ_ONLY);
    await this.#standby.promote();
    [this.#primary, this.#disk] = [this.#standby, this.#standbyDisk];
    await old.end("SIGKILL");
    await old.remove();
    await oldDisk.disk.remove();
  }

  /** Make a standby for which commits wait. */
  async #follow() {
    const [disk, folder] = createDisk();
    chownSync(folder, ...this.#primary.owner);
    this.#standby = await this.#primary.createStandby({ [this.#disk.folder]: folder });
    this.#standbyDisk = { disk, folder };
    await this.#primary.query("alter system set synchronous_standby_names = '*'");
    await this.#primary.query("select pg_reload_conf()");
  }

  /** Make a new standby after {@link failOver}. */
  async heal() {
    await this.#follow();
  }

  async remove() {
    for (const proxy of this.#proxies) await proxy.close();
    await this.#primary.end("SIGKILL");
    await this.#primary.remove();
    await this.#standby.remove();
    await this.#disk.disk.remove();
    await this.#standbyDisk.disk.remove();
    await this.#database.remove();
  }
}

function createDisk() {
  const disk = new SmallDisk(DISK_SIZE);
  const folder = path.join(disk.folder, "tablespace");
  mkdirSync(folder);
  return [disk, folder];
}

module.exports = { ReplicatedDatabase };
