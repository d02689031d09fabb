import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createLog } from "../../src/program/process/log.js";
import { startServer } from "../../src/server.js";
import { openStore } from "../../src/store/store.js";
import { buildSettings, call, startTestServer, webfingerPath, type TestServer } from "../support/server.js";
import { makeFolder } from "../support/stores.js";

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
