"use strict";

const { execFileSync } = require("node:child_process");
const os = require("node:os");
const path = require("node:path");

function describeMachine() {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${os.type()} ${os.arch()}, ${cpus.length} × ${cpus[0]?.model ?? "CPU"}, ${memory} GB`;
}

/** The commit that is tried, with a `+` when files differ from it; `undefined` without a repository. */
function describeCommit() {
  const git = (...args) =>
    execFileSync("git", args, { cwd: path.join(__dirname, "../.."), encoding: "utf8", stdio: "pipe" });
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/reference/reliability*.md");
    return git("rev-parse", "--short=10", "HEAD").trim() + (changed.trim() === "" ? "" : "+");
  } catch {
    return undefined;
  }
}

/** The version of a Node binary. */
function versionOf(execPath) {
  return execFileSync(execPath, ["--version"], { encoding: "utf8" }).trim().slice(1);
}

module.exports = { describeCommit, describeMachine, versionOf };
