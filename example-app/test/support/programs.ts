import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listeningUrl, runProgram, type TestProcess } from "./server.js";
import { makeFolder } from "./stores.js";

/** A process that listens. */
export type ServerProcess = TestProcess & { url: string; port: number; ca: string };

/** The program in processes that end after their test at the latest, or after all. */
export function declarePrograms(after: typeof afterEach = afterEach) {
  const parent = makeFolder();
  const running: TestProcess[] = [];
  after(async () => {
    for (const { child, exit } of running.splice(0)) {
      child.kill("SIGKILL");
      await exit;
    }
  });

  function run(args: string[], env: NodeJS.ProcessEnv = {}): TestProcess {
    const program = runProgram(args, env);
    running.push(program);
    return program;
  }

  /** On a free port. */
  async function start(data: string, ...args: string[]): Promise<ServerProcess> {
    const program = run(["--port", "0", "--data", data, ...args]);
    const url = await listeningUrl(program);
    const ca = url.startsWith("https:") ? readFileSync(join(data, "tls.crt"), "utf8") : "";
    return { ...program, url, port: Number(new URL(url).port), ca };
  }

  return { run, start, newFolder: () => mkdtempSync(join(parent, "data-")) };
}
