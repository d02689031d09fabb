import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";

/** The longest path of a group that is looked at, in folders. */
const MAX_DEPTH = 32;

/**
 * How many cores this process may use: those that the system gives it, within the limits of its container or service (control
 * groups, version 1 and 2). At least 1.
 *
 * @param root the folder in which `proc` and `sys` are
 * @param available how many the system gives
 */
export function countCores(root = "/", available = availableParallelism()): number {
  const limits = [...readGroups(root), readFirstVersion(root)].filter((limit) => limit !== undefined);
  return Math.max(1, Math.floor(Math.min(available, ...limits)));
}

/** The limits of the group of this process and of those around it. */
function readGroups(root: string): (number | undefined)[] {
  const [, group = "/"] = /^0::(\/.*)$/m.exec(read(path.join(root, "proc/self/cgroup"))) ?? [];
  const names = group.split("/").filter((name) => name !== "" && name !== "..");
  const folders = Array.from({ length: Math.min(names.length, MAX_DEPTH) + 1 }, (_, depth) => names.slice(0, depth));
  return folders.map((folder) => {
    const [quota, period] = read(path.join(root, "sys/fs/cgroup", ...folder, "cpu.max"))
      .trim()
      .split(" ");
    return coresOf(quota, period);
  });
}

function readFirstVersion(root: string): number | undefined {
  const [quota, period] = ["quota", "period"].map((name) =>
    read(path.join(root, `sys/fs/cgroup/cpu/cpu.cfs_${name}_us`)),
  );
  return coresOf(quota, period);
}

/** `undefined` without a limit: `max`, or -1. */
function coresOf(quota: string | undefined, period: string | undefined): number | undefined {
  const cores = Number(quota) / Number(period);
  return cores > 0 && Number.isFinite(cores) ? cores : undefined;
}

/** The text of a file; empty when there is none. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
