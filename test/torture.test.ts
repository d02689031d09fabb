import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expectPage } from "./support/page.js";

const run = promisify(execFile);
const ROOT = path.join(__dirname, "..");
const TORTURE = path.join(ROOT, "tools/torture/main.js");

const { parseArguments } = jest.requireActual<{
  parseArguments: (args: readonly string[]) => Record<string, unknown>;
}>("../tools/torture/arguments.js");
const { formatReport, formatRuns } =
  jest.requireActual<Record<"formatReport" | "formatRuns", (state: object) => string>>("../tools/torture/report.js");
const { isBetter, isDone } = jest.requireActual<{
  isBetter: (result: object, before?: object) => boolean;
  isDone: (result: object | undefined, scale: number) => boolean;
}>("../tools/torture/state.js");

/** What a run leaves behind. */
const RESULT = {
  outcome: "held",
  tried: 3_333_334,
  survived: 3_333_334,
  total: 3_333_334,
  unit: "inputs",
  seed: 7,
  scale: 1,
  seconds: 61.5,
  faults: [],
  versions: { Node: "22.1.0" },
  figures: { "longest call": "3 ms" },
  machine: "Linux x64, 2 × CPU, 24 GB",
  commit: "0123456789",
  date: "2026-01-31 08:00",
};

describe("npm run torture", () => {
  it("is a script, and no part of the tests", () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(scripts["torture"]).toMatch(/ && node tools\/torture\/main\.js$/);
    expect(scripts["test"]).not.toContain("torture");
  });

  describe("its arguments", () => {
    it("run every part at full size and write the page, when there are none", () => {
      expect(parseArguments([])).toEqual({
        names: [],
        seed: undefined,
        scale: 1,
        state: path.join(ROOT, "docs/data/torture.json"),
        report: path.join(ROOT, "docs/reference/reliability.md"),
        list: false,
        help: false,
      });
    });

    it("write no page at a smaller scale, unless they name one", () => {
      const state = path.join(ROOT, "reports/torture.json");
      expect(parseArguments(["--scale", "0.01"])).toMatchObject({ scale: 0.01, report: undefined, state });
      expect(parseArguments(["--scale", ".5", "--report", "/a.md"])).toMatchObject({ scale: 0.5, report: "/a.md" });
    });

    it("name parts and a seed", () => {
      const args = ["fuzz", "kill/sqlite", "--seed", "4294967295", "--state", "/b.json"];
      expect(parseArguments(args)).toMatchObject({
        names: ["fuzz", "kill/sqlite"],
        seed: 4_294_967_295,
        state: "/b.json",
      });
    });

    it.each([
      ["--scale", "0"],
      ["--scale", "1.01"],
      ["--scale", "1e-3"],
      ["--seed", "4294967296"],
      ["--seed", "1.5"],
      ["--seed", "-1"],
      ["--seed", ""],
      ["--again", "1"],
    ])("are refused: %s %j", (flag, value) => {
      expect(() => parseArguments([flag, value])).toThrow(/npm run torture -- \[PART …\]/);
    });
  });

  describe("its report", () => {
    it("shows what was tried, the seed and the command that repeats it", () => {
      const overview = formatReport({ "fuzz/node-22": RESULT });
      expect(overview).toContain("| [fuzz](#fuzz) | 3,333,334 | 3,333,334 | inputs | 1 of 3 held, 2 of 3 not run |");
      const report = formatRuns({ "fuzz/node-22": RESULT });
      expect(report).toContain(
        "| fuzz/node-22 | 3,333,334 | 3,333,334 | inputs | 61.5 | 7 | Node 22.1.0 | held |\n| fuzz/node-24 |  |  |  |  |  |  | not run |",
      );
      expect(report).toContain("`npm run torture -- fuzz/node-22 --seed 7`, 2026-01-31 08:00 UTC, commit 0123456789, ");
      expect(report).toContain("- longest call: 3 ms");
    });

    it("shows the service levels that were measured, and no section without one", () => {
      expect(formatReport({ "kill/sqlite": RESULT })).not.toContain("Service levels");
      const levels = [
        { level: "a change is seen", target: "≤ 1 s", measured: "0.2 s", isMet: true },
        { level: "discovery served", target: "100 %", measured: "99.99 %", isMet: false },
      ];
      const report = formatReport({ "chaos/fleet": { ...RESULT, levels } });
      expect(report).toContain(
        "| a change is seen | ≤ 1 s | 0.2 s | met | chaos/fleet |\n| discovery served | 100 % | 99.99 % | **missed** | chaos/fleet |",
      );
    });

    it("shows faults, what was left out, and why a part did not run", () => {
      const fell = {
        ...RESULT,
        outcome: "fell",
        scale: 0.1,
        survived: 3_333_333,
        faults: ["filter/parse `a`\n  at b"],
      };
      const missing = { ...RESULT, outcome: "not run", reason: "there is no initdb", tried: 0, survived: 0 };
      const report = formatRuns({ "fuzz/node-22": fell, "kill/of-postgresql": missing });
      expect(report).toContain("| **fell**, 10 % of 3,333,334 |");
      expect(report).toContain("- **fault**: `filter/parse 'a' at b`");
      expect(report).toContain("--seed 7 --scale 0.1`");
      expect(report).toContain("| kill/of-postgresql |  |  |  |  |  |  | not run: there is no initdb |");
    });
  });

  describe("its state", () => {
    it("makes a part run again unless it held at this scale or a larger one", () => {
      expect(isDone(undefined, 1)).toBe(false);
      expect(isDone(RESULT, 1)).toBe(true);
      expect(isDone({ ...RESULT, scale: 0.5 }, 1)).toBe(false);
      expect(isDone({ ...RESULT, outcome: "fell" }, 1)).toBe(false);
    });

    it("keeps a large run when a small one finds nothing", () => {
      const small = { ...RESULT, scale: 0.01 };
      expect(isBetter(small, RESULT)).toBe(false);
      expect(isBetter({ ...small, outcome: "fell" }, RESULT)).toBe(true);
      expect(isBetter({ ...small, outcome: "not run" }, RESULT)).toBe(false);
      expect(isBetter(RESULT, small)).toBe(true);
      expect(isBetter(small, undefined)).toBe(true);
    });
  });

  it("has pages of docs/data/torture.json; `npm run pages` writes them", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "torture-"));
    try {
      const write = `const { loadState } = require("./tools/torture/state.js");
        require("./tools/torture/report.js").writeReport(process.argv[1], loadState("docs/data/torture.json"));`;
      await run(process.execPath, ["-e", write, path.join(folder, "reliability.md")], { cwd: ROOT });
      for (const page of ["reliability.md", "reliability-runs.md"]) {
        expectPage(`docs/reference/${page}`, readFileSync(path.join(folder, page), "utf8"));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("lists its parts", async () => {
    const { stdout } = await run(process.execPath, [TORTURE, "--list"]);
    const names = stdout.trim().split("\n");
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(names.map((name) => name.split("/")[0]))).toEqual(
      new Set(
        "tenants fuzz growth sockets term writers pages kill outage failover chaos start migrate slow guard slowest neighbour memory".split(
          " ",
        ),
      ),
    );
  });

  it("runs a part, keeps its result and writes the report", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "torture-"));
    const [state, report] = [path.join(folder, "state.json"), path.join(folder, "report.md")];
    try {
      const args = ["fuzz/node-22", "--scale", "0.0003", "--seed", "7", "--state", state, "--report", report];
      const { stdout, stderr } = await run(process.execPath, [TORTURE, ...args], {
        env: { ...process.env, NODE_22: process.execPath },
      });
      expect(stderr).toMatch(/^fuzz\/node-22 \(seed 7\) … held: 1000 of 1000 inputs/);
      expect(stdout).toBe("fuzz/node-22: held, 0.03 % of 3,333,334: 1,000 of 1,000 inputs\n");
      expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({
        "fuzz/node-22": { outcome: "held", tried: 1_000, survived: 1_000, seed: 7, scale: 0.0003, faults: [] },
      });
      expect(readFileSync(report, "utf8")).toMatch(/^\| \[fuzz\]/m);
      const runs = path.join(folder, "report-runs.md");
      expect(readFileSync(runs, "utf8")).toMatch(/^\| fuzz\/node-22 +\| +1,000 +\| +1,000 +\| inputs /m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("refuses a part that is not there", async () => {
    await expect(run(process.execPath, [TORTURE, "fuss"])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no part fuss; --list names them all."),
    });
  });
});
