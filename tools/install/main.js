"use strict";

/*
 * `node tools/install/main.js [--write] [--together] [SUITE.tgz SERVER.tgz]`: packs both packages unless they are given, installs
 * them in an empty folder as people do, without what is for development, and does the walk of the README. The last line tells how
 * many walks passed and failed. With `--together` the suite is not installed alone before. With `--write`
 * docs/data/installed.json keeps what it measured; it needs a build, and the registry or a cache of it.
 */
const { execFileSync } = require("node:child_process");
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { describeCommit, describeMachine } = require("../kit/machine.js");
const { withoutSettings } = require("../kit/program.js");
const { walk } = require("./walk.js");

const ROOT = path.join(__dirname, "../..");
const FILE = path.join(ROOT, "docs/data/installed.json");

/** How often the walk is done when its time is kept; the shortest counts. */
const WALKS = 5;

function npm(cwd, ...args) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", env: withoutSettings(process.env) });
}

function pack(source, folder) {
  return path.join(folder, npm(source, "pack", "--ignore-scripts", "--silent", "--pack-destination", folder).trim());
}

function install(home, files) {
  mkdirSync(home);
  writeFileSync(path.join(home, "package.json"), '{ "private": true }\n');
  npm(home, "install", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline", ...files);
}

/** How many packages are installed there, and their bytes. */
function measure(home) {
  const { packages } = JSON.parse(readFileSync(path.join(home, "node_modules/.package-lock.json"), "utf8"));
  const files = readdirSync(path.join(home, "node_modules"), { recursive: true, withFileTypes: true });
  const bytes = files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size, 0);
  return { packages: Object.keys(packages).length, megabytes: Math.round(bytes / 1e6) };
}

async function main() {
  const folder = mkdtempSync(path.join(tmpdir(), "etiquette-installed-"));
  try {
    const given = process.argv.filter((argument) => argument.endsWith(".tgz")).map((file) => path.resolve(file));
    const [suite, server] =
      given.length > 0 ? given : [ROOT, path.join(ROOT, "example-app")].map((source) => pack(source, folder));
    const [alone, home] = ["alone", "home"].map((name) => path.join(folder, name));
    const isTogether = process.argv.includes("--together");
    if (!isTogether) install(alone, [suite]);
    install(home, [suite, server]);
    const isKept = process.argv.includes("--write");
    const times = [];
    while (times.length < (isKept ? WALKS : 1)) times.push(await walk(home));
    const row = {
      node: process.versions.node,
      milliseconds: Math.round(Math.min(...times)),
      suite: isTogether ? undefined : measure(alone),
      server: measure(home),
      date: new Date().toISOString().slice(0, 10),
      machine: describeMachine(),
      commit: describeCommit(),
    };
    console.log(JSON.stringify(row));
    if (isKept) keep(row);
    console.log(`${times.length} passed, 0 failed`);
  } catch (error) {
    console.error(error);
    console.log("0 passed, 1 failed");
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In place of the row of the same major version of Node. */
function keep(row) {
  const major = ({ node }) => Number.parseInt(node, 10);
  let rows = [];
  try {
    rows = JSON.parse(readFileSync(FILE, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const kept = [...rows.filter((other) => major(other) !== major(row)), row].sort((a, b) => major(a) - major(b));
  writeFileSync(FILE, `${JSON.stringify(kept, undefined, 2)}\n`);
}

void main();
