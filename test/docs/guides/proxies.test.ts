import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { parseArguments } from "../../../check/command-line/parse.js";
import { runChecks, type CheckResult } from "../../../check/engine.js";
import { createEtiquetteServer, TOKEN } from "../../check/peers/etiquette.js";
import { ITEM, LIST, ORIGIN } from "../../check/peers/items.js";
import { rowsBelow } from "../../support/page-parts.js";
import { edit, freePort, HAPROXY, isInstalled, PROXIES, startProxy, type Proxy } from "../../support/proxies.js";
import { exchange, listen, parseAnswer } from "../../support/raw-socket.js";
import { describeIf } from "../../support/requirements.js";
import { block } from "../../support/run-snippet.js";
import { createTestCertificate } from "../../support/tls.js";
import { ask, createApp } from "./proxied.js";
import { ROWS } from "./proxied-rows.js";
import { until } from "../../support/until.js";

/** What docs/guides/behind-a-proxy.md says of each proxy is what it does with its configuration in docs/examples. */
const ROOT = path.join(__dirname, "../../..");
const page = readFileSync(path.join(ROOT, "docs/guides/behind-a-proxy.md"), "utf8");

const CHANGES = rowsBelow(page, "What changes on the way");
const FINDINGS = rowsBelow(page, "What `etiquette check` finds");

const running: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((end) => end()));
});

/** @returns the port */
async function serve(server: Server): Promise<number> {
  running.push(() => close(server));
  return listen(server);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** What `etiquette check` finds in the app of the peers. */
async function check(port: number): Promise<readonly CheckResult[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "check-"));
  running.push(() => rm(folder, { recursive: true }));
  const ca = path.join(folder, "ca.pem");
  writeFileSync(ca, (await createTestCertificate()).cert);
  const { plan, checks } = parseArguments([
    ...[`https://localhost:${port}${LIST}`, "--ca", ca, "--rate", "1000", "--header", `Authorization: Bearer ${TOKEN}`],
    ...["--list", LIST, "--resource", ITEM, "--write", "--writable", ITEM, "--field", "/name", "--origin", ORIGIN],
    ...["--filter", 'status eq "ACTIVE"'],
  ]);
  return (await runChecks(plan, checks)).results;
}

test("the table has the rows that are tested", () => {
  expect(CHANGES.map(([name]) => name)).toEqual(Object.keys(ROWS));
});

describe.each(PROXIES)("$name", (kind) => {
  const column = PROXIES.indexOf(kind) + 1;
  const config = readFileSync(path.join(ROOT, "docs/examples", kind.file), "utf8").trim();

  /** The proxy before apps on these ports. */
  async function start(apps: readonly number[], changes: Readonly<Record<string, string>> = {}): Promise<Proxy> {
    const one = "127.0.0.1:3000";
    const line = { nginx: `server ${one};`, Caddy: `reverse_proxy ${one}`, HAProxy: `server app1 ${one}` }[kind.name];
    const lines = {
      nginx: apps.map((port) => `server 127.0.0.1:${port};`).join("\n"),
      Caddy: `reverse_proxy ${apps.map((port) => `127.0.0.1:${port}`).join(" ")}`,
      HAProxy: apps.map((port, index) => `server app${index} 127.0.0.1:${port}`).join("\n  "),
    }[kind.name];
    const proxy = await startProxy(kind, edit(config, { [line]: lines, ...changes }));
    running.push(proxy.close);
    return proxy;
  }

  describeIf(isInstalled(kind), "with its configuration", `${kind.name} ${kind.version[2]}`, () => {
    test.each(CHANGES)("%s", async (name = "", ...cells) => {
      const cell = await ROWS[name]?.({
        start: async (options) => (await start([await serve(createApp(options))])).port,
        startAlone: async () => (await start([9])).port,
      });
      expect(cell?.replace("the proxy", kind.name)).toBe(cells[column - 1]?.replace("the proxy", kind.name));
    });

    test("gives etiquette check what the page says", async () => {
      const health = {
        nginx: [],
        Caddy: ["health_uri /readyz", "health_interval 2s"],
        HAProxy: ["option httpchk GET /readyz"],
      };
      const withoutHealth = Object.fromEntries(health[kind.name].map((line) => [line, ""]));
      const { port } = await start([await serve(createEtiquetteServer())], withoutHealth);
      const found = (await check(port)).filter(({ outcome }) => outcome === "finding");
      const names = found.map(({ check: { id, title } }) => `[${title}](../reference/check.md#${id})`);
      expect(names).toEqual(FINDINGS.filter((cells) => cells[column] === "✗").map(([name]) => name));
    });

    const idle = { nginx: "keepalive_timeout 60s", Caddy: "keepalive 60s", HAProxy: undefined }[kind.name];
    if (idle !== undefined) {
      test("closes idle connections before the app does", async () => {
        const server = createApp();
        expect(server.keepAliveTimeout).toBe(65_000);
        const { port } = await start([await serve(server)], { [idle]: idle.replace("60s", "1s") });
        await ask(port, "/seen");
        const connections = promisify(server.getConnections.bind(server));
        await until(async () => (await connections()) === 0);
      });
    }

    test("sends nothing to an app that is not ready, or not there", async () => {
      const [first, second] = [createApp(), createApp()];
      const { port } = await start([await serve(first), await serve(second)]);
      while (first.asked === 0 || second.asked === 0) expect((await ask(port, "/seen")).status).toBe(200);
      if (kind.name === "nginx") await close(first);
      else first.ready = false;
      for (let inARow = 0; inARow < 5;) {
        const before = first.asked;
        expect((await ask(port, "/seen")).status).toBe(200);
        inARow = first.asked === before ? inARow + 1 : 0;
      }
    });
  });
});

describeIf(isInstalled(HAPROXY), "HAProxy before TLS in the app", `HAProxy ${HAPROXY.version[2]}`, () => {
  const config = readFileSync(path.join(ROOT, "docs/examples/haproxy-tcp.cfg"), "utf8").trim();

  test("passes on what the client sends", async () => {
    const port = await serve(createEtiquetteServer(await createTestCertificate()));
    const proxy = await startProxy(HAPROXY, edit(config, { "127.0.0.1:3443": `127.0.0.1:${port}` }));
    running.push(proxy.close);
    expect((await check(proxy.port)).filter(({ outcome }) => outcome === "finding")).toEqual([]);
  });

  test("speaks the PROXY protocol, which the app refuses", async () => {
    const port = await serve(createApp());
    const line = `127.0.0.1:${port} send-proxy`;
    const proxy = await startProxy(HAPROXY, edit(config, { "127.0.0.1:3443 check": line }));
    running.push(proxy.close);
    const answer = await exchange(proxy.port, "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(parseAnswer(answer)).toMatchObject({ status: 400, body: expect.stringContaining("E0009000") });
  });
});

describe("the app of the page", () => {
  test("is ready until SIGTERM, and then ends", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "app-"));
    running.push(() => rm(folder, { recursive: true }));
    const port = await freePort();
    const changes = { "3000": String(port), "5000)": "1000)" };
    writeFileSync(path.join(folder, "app.ts"), edit(block(page, "ts"), changes));
    const hook = path.join(ROOT, "example-app/test/support/typescript-hook.js");
    const env = { ...process.env, NODE_PATH: path.join(ROOT, "node_modules"), NODE_ENV: "production" };
    const child = spawn(process.execPath, ["--require", hook, "app.ts"], { cwd: folder, env, stdio: "ignore" });
    const exit = once(child, "exit");
    running.push(() => Promise.resolve(child.kill("SIGKILL")));
    const get = (name: string, headers = {}) => fetch(`http://127.0.0.1:${port}${name}`, { headers });
    await until(async () => (await get("/readyz").catch(() => undefined))?.status === 200);

    const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7" };
    expect(await (await get("/address", forwarded)).json()).toEqual({ address: "192.0.2.7" });
    expect((await get("/address", { "X-Forwarded-Proto": "http" })).status).toBe(403);

    child.kill("SIGTERM");
    await until(async () => (await get("/readyz")).status === 503);
    expect(await exit).toEqual([0, null]);
  });
});
