import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describeIf } from "../../../../test/support/requirements.js";
import { patient } from "../../../../test/support/patience.js";

jest.setTimeout(30_000);

/** Each write to it fails with ENOSPC. */
const FULL = "/dev/full";

const PROGRAM = join(__dirname, "../../support/log-lines.js");

/** How a process ends, and its exit code. */
const ENDS: [string, number][] = [
  ["last", 0],
  ["exit", 3],
  ["throw", 1],
  ["reject", 1],
  ["fatal", 4],
];

function run(how: string) {
  const child = spawn(process.execPath, [PROGRAM, how], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: patient(10_000), // one that waits for ever ends nevertheless
  });
  return { child, lines: createInterface(child.stderr) };
}

describe("createLog()", () => {
  it.each(ENDS)("loses no line when the process ends: %s", async (how, code) => {
    const { child, lines } = run(how);
    const closed = once(child, "close");
    const written: string[] = [];
    for await (const line of lines) written.push(line);
    const [exitCode] = await closed;
    const numbers = written.filter((line) => line.includes('"line"')).map((line) => JSON.parse(line).number);
    expect({ numbers, exitCode }).toEqual({ numbers: [1, 2, 3], exitCode: code });
    if (how === "fatal") expect(written.at(-1)).toContain('"msg":"fatal"');
  });

  it("writes what is waiting soon, when nothing more comes", async () => {
    const { child, lines } = run("stay");
    const numbers: number[] = [];
    try {
      for await (const line of lines) {
        numbers.push(JSON.parse(line).number);
        if (numbers.length === 3) break;
      }
    } finally {
      child.kill("SIGKILL");
    }
    expect(numbers).toEqual([1, 2, 3]);
  });

  describeIf(existsSync(FULL), "when no line can be written", FULL, () => {
    const runFull = (how: string) => {
      const full = openSync(FULL, "w");
      const child = spawn(process.execPath, [PROGRAM, how], {
        stdio: ["ignore", "pipe", full],
        timeout: patient(10_000),
      });
      closeSync(full);
      return child;
    };

    it.each(ENDS)("ends as it would otherwise: %s", async (how, code) => {
      expect(await once(runFull(how), "close")).toEqual([code, null]);
    });

    it("goes on", async () => {
      const child = runFull("flood"); // it tells its memory when all lines were refused
      await once(child.stdout!, "data");
      expect(child.exitCode).toBeNull();
      child.kill("SIGKILL");
    });
  });

  it("drops lines when nobody reads them, and holds no more than 16 MB", async () => {
    const child = spawn(process.execPath, [PROGRAM, "flood"], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: patient(20_000),
    });
    const [rss] = (await once(child.stdout, "data")) as [Buffer];
    child.kill("SIGKILL");
    expect(Number(rss)).toBeGreaterThan(0);
    expect(Number(rss)).toBeLessThan(250_000_000); // 100 MB of lines came
  });
});
