import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { countCores } from "../../../src/program/settings/cores.js";
import { makeFolder } from "../../support/stores.js";

const parent = makeFolder();

/** The cores of a process on a machine with eight, whose system has these files. */
function cores(files: Readonly<Record<string, string>>): number {
  const root = mkdtempSync(join(parent, "root-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return countCores(root, 8);
}

const GROUP = "proc/self/cgroup";

describe("countCores()", () => {
  it.each<[string, Record<string, string>, number]>([
    ["no groups", {}, 8],
    ["a container", { [GROUP]: "0::/\n", "sys/fs/cgroup/cpu.max": "200000 100000\n" }, 2],
    ["a container without a limit", { [GROUP]: "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n" }, 8],
    ["a limit of more cores than there are", { "sys/fs/cgroup/cpu.max": "6400000 100000\n" }, 8],
    ["two and a half cores", { "sys/fs/cgroup/cpu.max": "250000 100000\n" }, 2],
    ["less than one core", { "sys/fs/cgroup/cpu.max": "50000 100000\n" }, 1],
    [
      "a service in a slice with less",
      {
        [GROUP]: "1:name=systemd:/other\n0::/system.slice/etiquette.service\n",
        "sys/fs/cgroup/cpu.max": "max 100000\n",
        "sys/fs/cgroup/system.slice/cpu.max": "300000 100000\n",
        "sys/fs/cgroup/system.slice/etiquette.service/cpu.max": "400000 100000\n",
      },
      3,
    ],
    [
      "groups of version 1",
      { "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "400000\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n" },
      4,
    ],
    [
      "version 1 without a limit",
      { "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n" },
      8,
    ],
    ["nonsense", { [GROUP]: "0::/../../a\n", "sys/fs/cgroup/cpu.max": "a b c\n" }, 8],
  ])("with %s", (_title, files, expected) => {
    expect(cores(files)).toBe(expected);
  });

  it("asks this system by default", () => {
    expect(countCores()).toBeGreaterThanOrEqual(1);
  });
});
