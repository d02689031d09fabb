"use strict";

const { execFileSync, spawn } = require("node:child_process");
const { once } = require("node:events");
const { mkdtempSync, rmSync } = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Unavailable } = require("../../kit/unavailable.js");
const { hold } = require("./children.js");

/** A file system in memory that can be full. Only root can mount one. */
class SmallDisk {
  #ballast;
  #release;

  /** @param size in megabytes */
  constructor(size) {
    if (process.getuid() !== 0) throw new Unavailable("only root can mount a small file system");
    this.folder = mkdtempSync(path.join(os.tmpdir(), "torture-disk-"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}m,mode=0777`, "tmpfs", this.folder], { stdio: "pipe" });
    } catch (error) {
      throw new Unavailable(`no small file system can be mounted: ${error.message.split("\n")[0]}`);
    }
    this.#ballast = path.join(this.folder, "ballast");
    this.#release = hold(() => {
      execFileSync("umount", ["--lazy", this.folder]);
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  /** Write until nothing more fits, in a process of its own: this one has requests to serve. */
  async fill() {
    const dd = spawn("dd", ["if=/dev/zero", `of=${this.#ballast}`, "bs=1M"], { stdio: "ignore" });
    await once(dd, "exit"); // it fails when the disk is full
  }

  empty() {
    rmSync(this.#ballast, { force: true });
  }

  remove() {
    return this.#release();
  }
}

module.exports = { SmallDisk };
