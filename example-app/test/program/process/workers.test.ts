import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callAdmin, scrapeUntil, sumOf, type Sample } from "../../support/metrics.js";
import { call, listeningUrl, runProgram, webfingerPath, type TestProcess } from "../../support/server.js";
import { describePostgres, makeFolder } from "../../support/stores.js";
import { until } from "../../../../test/support/until.js";

const JOE = webfingerPath("joe@example.com");

const parent = makeFolder();
const running: TestProcess[] = [];

afterEach(async () => {
  for (const { child, exit } of running.splice(0)) {
    child.kill("SIGTERM");
    await exit;
  }
});

function run(...args: string[]): TestProcess & { data: string } {
  const data = mkdtempSync(join(parent, "data-"));
  const program = runProgram(["--port", "0", "--data", data, ...args]);
  running.push(program);
  return { ...program, data };
}

/** The lines of the log with this message. */
function linesOf({ output }: TestProcess, message: string): { pid: number; worker?: number }[] {
  const lines = output.stderr.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
}

/** The processes that have served requests. */
function servers(program: TestProcess): Set<number> {
  return new Set(linesOf(program, "request").map(({ pid }) => pid));
}

describePostgres((_engine, database) => {
  test("two workers share one port and say once where it is", async () => {
    const { options } = await database();
    const program = run("--workers", "2", "--demo", "--database-url", String(options.databaseUrl));
    const url = await listeningUrl(program);
    const ca = readFileSync(join(program.data, "tls.crt"), "utf8");
    const server = { url, port: Number(new URL(url).port), ca };
    for (let i = 0; i < 20; i++) expect((await call(server, JOE)).status).toBe(200);
    await until(() => servers(program).size === 2);
    expect(program.output.stdout).toBe(`etiquette listening on ${url}\n`);
    expect(program.output.stderr.match(/in the file .*first-token$/gm)).toHaveLength(1);
    const pids = servers(program);
    expect(pids.size).toBe(2);
    expect(pids).not.toContain(program.child.pid);

    const [victim = 0] = pids;
    process.kill(victim, "SIGKILL");
    await until(async () => {
      // a connection that the victim was given may never be answered
      await Promise.race([call(server, JOE).catch(() => undefined), sleep(1_000)]);
      return servers(program).size === 3;
    });
    expect(linesOf(program, "worker ended")).toMatchObject([{ worker: victim }]);

    program.child.kill("SIGTERM");
    expect(await program.exit).toBe(0);
    for (const pid of servers(program)) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  test("the admin port tells of all workers, each with its own counters", async () => {
    const { options } = await database();
    const program = run("--workers", "2", "--admin-port", "0", "--demo", "--database-url", String(options.databaseUrl));
    const url = await listeningUrl(program);
    const [, adminUrl] = /^Probes and metrics: (\S+)\/readyz and \1\/metrics$/m.exec(program.output.stderr) ?? [];
    const admin = { adminUrl };
    const ca = readFileSync(join(program.data, "tls.crt"), "utf8");
    const server = { url, port: Number(new URL(url).port), ca };
    for (let i = 0; i < 20; i++) await call(server, JOE);
    expect(await callAdmin(admin, "/readyz")).toMatchObject({ status: 200, text: "ok\n" });
    expect((await call(server, "/readyz")).text).toBe("ok\n");

    const webfinger = { operation: "webfinger", status: "200", org: "default" };
    const requests = (samples: Sample[], worker: string) =>
      sumOf(samples, "etiquette_requests_total", { ...webfinger, worker });
    const samples = await scrapeUntil(admin, (all) => requests(all, "1") + requests(all, "2") === 20);
    expect(requests(samples, "1")).toBeGreaterThan(0);
    expect(requests(samples, "2")).toBeGreaterThan(0);
    const starts = samples.filter(({ name }) => name === "process_start_time_seconds").map(({ labels }) => labels);
    expect(starts).toEqual([{ worker: "1" }, { worker: "2" }]);

    const before = requests(samples, "2");
    const [victim] = linesOf(program, "request").map(({ pid }) => pid);
    process.kill(victim ?? 0, "SIGKILL");
    const after = await scrapeUntil(
      admin,
      (all) => sumOf(all, "etiquette_ready") === 2 && requests(all, "1") + requests(all, "2") < 20,
    );
    expect([requests(after, "1"), requests(after, "2")]).toContain(0); // its place begins anew
    expect([requests(samples, "1"), before]).toContain(requests(after, "1") + requests(after, "2")); // and no other does
    expect((await callAdmin(admin, "/readyz")).status).toBe(200);
  });

  test("a worker that can't start ends the program", async () => {
    const { options } = await database();
    const program = run("--workers", "2", "--database-url", `${String(options.databaseUrl)}_absent`);
    expect(await program.exit).toBe(1);
    expect(program.output.stdout).toBe("");
    expect(program.output.stderr).toContain("etiquette: A worker process did not start");
    expect(program.output.stderr).toContain("can't be opened");
  });
});
