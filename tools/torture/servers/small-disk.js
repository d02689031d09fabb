"use strict";

const { execFileSync } = require("node:child_process");
const { closeSync, mkdtempSync, openSync, rmSync, writeSync } = require("node:fs");
const { Buffer } = require("node:buffer");
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

  /** Write until nothing more fits. */
  fill() {
    const file = openSync(this.#ballast, "a");
    for (let size = 1_048_576; size >= 1;) {
      try {
        if (writeSync(file, Buffer.alloc(size)) < size) size >>= 1;
      } catch (error) {
        if (error.code !== "ENOSPC") throw error;
        size >>= 1;
      }
    }
    closeSync(file);
  }

  empty() {
    rmSync(this.#ballast, { force: true });
  }

  remove() {
    return this.#release();
  }
}

module.exports = { SmallDisk };
