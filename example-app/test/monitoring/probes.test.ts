import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createLog } from "../../src/program/log.js";
import { startServer } from "../../src/server.js";
import { openStore } from "../../src/store/store.js";
import {
  buildSettings,
  call,
  startTestServer,
  webfingerPath,
  type Answer,
  type TestServer,
} from "../support/server.js";
import { describePostgres, describeStores, makeFolder } from "../support/stores.js";
import { startTcpProxy } from "../support/tcp-proxy.js";
import { until } from "../../../test/support/until.js";

const running: TestServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(...options: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...options);
  running.push(server);
  return server;
}

/** Send a request of HTTP/1.0 without a `Host`, and read the whole response. */
async function sendOldRequest(port: number, path: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET ${path} HTTP/1.0\r\n\r\n`);
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
  return text;
}

describeStores((_engine, database) => {
  test("both probes say ok, with no event and no line in the log", async () => {
    const { options } = await database();
    const server = await start({ options });
    const ids: unknown[] = [];
    for (const path of ["/livez", "/readyz", "/readyz?verbose=1"]) {
      const { status, text, headers } = await call(server, path);
      expect([status, text]).toEqual([200, "ok\n"]);
      expect(headers).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      ids.push(headers["x-svc-request-id"]);
    }
    const head = await call(server, "/readyz", { method: "HEAD" });
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", "3"]);
    const other = await call(server, "/none"); // this one has both
    await server.close();
    running.length = 0;
    expect(server.lines.filter(({ msg }) => msg === "request")).toMatchObject([{ path: "/none" }]);

    const store = await openStore(options);
    const rows = await store.reader.selectFrom("log_events").select("request_id").execute();
    await store.close();
    const recorded = rows.map((row) => row.request_id);
    expect(recorded).toContain(other.headers["x-svc-request-id"]);
    expect(recorded.filter((id) => ids.includes(id))).toEqual([]);
  });
});

describe("with SQLite", () => {
  const parent = makeFolder();
  const database = () => ({ options: { dataFolder: mkdtempSync(join(parent, "data-")) } });

  test.each(["localhost", "LOCALHOST.", "127.0.0.1", "10.1.2.3:8443", "[::1]", "[2001:db8::7]:8443", "idp.example"])(
    "the host %s has the probes",
    async (Host) => {
      const server = await start(database(), { baseDomain: "idp.example" });
      expect((await call(server, "/livez", { headers: { Host } })).text).toBe("ok\n");
      expect((await call(server, "/readyz", { headers: { Host } })).text).toBe("ok\n");
    },
  );

  test("so has a request of HTTP/1.0 that names no host", async () => {
    const server = await start(database(), {
      http: true,
      trustedProxies: ["loopback"],
      baseDomain: "idp.example",
    });
    expect(await sendOldRequest(server.port, "/readyz")).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok\n$/);
    expect(await sendOldRequest(server.port, "/none")).toMatch(/^HTTP\/1\.1 4/);
  });

  test("the hosts of orgs don't have them", async () => {
    const server = await start(database(), { baseDomain: "idp.example" });
    for (const Host of ["demo.idp.example", "none.idp.example", "evil.example"]) {
      for (const path of ["/livez", "/readyz"]) {
        expect((await call(server, path, { headers: { Host } })).status).toBe(404);
      }
    }
  });

  test("they take GET and HEAD, no other method and no other path", async () => {
    const server = await start(database());
    const refused = await call(server, "/readyz", { method: "POST", body: {} });
    expect([refused.status, refused.headers["allow"], refused.body.errorCode]).toEqual([
      405,
      "GET, HEAD, OPTIONS",
      "E0000022",
    ]);
    for (const path of ["/livez/", "/LIVEZ", "/readyz/x", "/metrics"])
      expect((await call(server, path)).status).toBe(404);
  });

  test("they need no HTTPS behind a proxy, and are refused by no limit", async () => {
    const server = await startServer({
      settings: buildSettings({
        secrets: ["s".repeat(32)],
        trustedProxies: ["loopback"],
        overloadLimits: { lag: 250, waiting: 200 },
      }),
      store: await openStore(database().options),
      certificate: undefined,
      log: createLog("silent"),
      lagSource(listener) {
        for (let i = 0; i < 10; i++) listener(1e6); // overloaded from the start
        return () => undefined;
      },
    });
    const target = { port: server.port, ca: undefined, url: `http://localhost:${server.port}` };
    try {
      expect((await call(target, webfingerPath("joe@example.com"))).status).toBe(503);
      for (const path of ["/livez", "/readyz"]) expect((await call(target, path)).text).toBe("ok\n");
    } finally {
      await server.close();
    }
  });

  test("a server that ends is not ready at once, and serves while it waits", async () => {
    const server = await start(database(), { drainDelay: 3_000 });
    expect((await call(server, "/readyz")).status).toBe(200);
    running.length = 0;
    const closed = server.close();
    const answer = await call(server, "/readyz");
    expect([answer.status, answer.text]).toEqual([503, "draining\n"]);
    expect((await call(server, "/livez")).text).toBe("ok\n");
    expect((await call(server, "/none")).status).toBe(404);
    await closed;
    await expect(call(server, "/livez")).rejects.toThrow("ECONNREFUSED");
  });
});

describePostgres((_engine, database) => {
  test("a server without its database is alive and not ready, until the database is back", async () => {
    const { options } = await database();
    const url = new URL(String(options.databaseUrl));
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    const databaseUrl = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
    const server = await start({ options: { ...options, databaseUrl } });
    expect((await call(server, "/readyz")).status).toBe(200);
    for (const breakOff of ["cut", "silence"] as const) {
      await proxy[breakOff]();
      const answer = await untilStatus(server, 503);
      expect(answer.text).toBe("the database does not answer\n");
      expect((await call(server, "/livez")).text).toBe("ok\n");
      await proxy.cut();
      await proxy.restore();
      await untilStatus(server, 200);
    }
  });
});

/** The first answer that has this status. */
async function untilStatus(server: TestServer, expected: number): Promise<Answer> {
  let answer: Answer;
  await until(async () => {
    answer = await call(server, "/readyz");
    return answer.status === expected;
  });
  return answer!;
}
